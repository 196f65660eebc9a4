import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Problem } from '../problem.ts';

/** The code in the newest mail to an address, out of the folder that stands in for a mail server. */
export function codeFromOutbox(folder: string, address: string): { code: string; file: string } {
  const names = readdirSync(join(folder, 'outbox')).filter((name) => name.endsWith('.eml'));
  for (const name of names.sort().reverse()) {
    const file = join(folder, 'outbox', name);
    const mail = readFileSync(file, 'utf8');
    const [head = '', ...body] = mail.split(/\r?\n\r?\n/);
    const code = /\b\d{6,8}\b/.exec(body.join('\n'))?.[0];
    if (head.includes(address) && code !== undefined) return { code, file };
  }
  throw new Problem(`No mail with a code for ${address} arrived in the outbox.`);
}
