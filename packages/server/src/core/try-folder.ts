import { randomBytes } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What a full disk still takes may be a few bytes: a try asks for more. */
const BYTES = 64 * 1024;

/** Tries whether files can be written into a folder and reach the disk; makes the folder. */
export async function tryFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'probe.tmp');
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(randomBytes(BYTES));
    await file.sync();
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}
