import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestPlatform } from '../platform/platform.ts';

/** The mails in the outbox folder to an address, oldest first, as they would be sent. */
export async function mailsTo(platform: TestPlatform, address: string): Promise<string[]> {
  const folder = join(platform.dataDir, 'outbox');
  const names = await readdir(folder).catch(() => []);
  const mails = await Promise.all(names.sort().map((name) => readFile(join(folder, name), 'utf8')));
  // Domains are put into lower case on the way out.
  const to = `to: ${address}`.toLowerCase();
  return mails.filter((mail) => mail.split(/\r?\n/).some((line) => line.toLowerCase() === to));
}
