import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Problem } from '../problem.ts';
import { readAll } from '../terminal/input.ts';

/** The bytes of a file; `-` is stdin. */
export async function readInput(file: string): Promise<Buffer> {
  const bytes = await readAll(file);
  if (bytes.length === 0) throw new Problem(`${file === '-' ? 'stdin' : file} is empty.`);
  if (bytes.length > INPUT_MOST)
    throw new Problem(`${file === '-' ? 'stdin' : file} is too large for a key.`);
  return bytes;
}

/** Writes a file that only its owner can read. Never over one that is there: it may be the only copy of a key. */
export function writePrivate(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode: 0o600, flag: 'wx', flush: true });
}

const INPUT_MOST = 1024 * 1024;
