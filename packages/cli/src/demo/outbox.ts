import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../problem.ts';

/**
 * The code in the newest mail to an address, out of the folder that stands in for a mail server. The platform sends mails
 * after it has answered, so the mail may arrive a moment later.
 */
export async function codeFromOutbox(
  folder: string,
  address: string,
): Promise<{ code: string; file: string }> {
  const giveUp = performance.now() + WAIT_MS;
  for (;;) {
    const found = newestCode(join(folder, 'outbox'), address);
    if (found !== undefined) return found;
    if (performance.now() > giveUp) {
      throw new Problem(`No mail with a code for ${address} arrived in the outbox.`);
    }
    await pause(STEP_MS);
  }
}

function newestCode(outbox: string, address: string): { code: string; file: string } | undefined {
  const names = mailsIn(outbox).filter((name) => name.endsWith('.eml'));
  for (const name of names.sort().reverse()) {
    const file = join(outbox, name);
    const mail = readFileSync(file, 'utf8');
    const [head = '', ...body] = mail.split(/\r?\n\r?\n/);
    const code = /\b\d{6,8}\b/.exec(body.join('\n'))?.[0];
    if (head.includes(address) && code !== undefined) return { code, file };
  }
  return undefined;
}

function mailsIn(outbox: string): string[] {
  try {
    return readdirSync(outbox);
  } catch (error) {
    // The platform makes the folder with the first mail.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const WAIT_MS = 20_000;
const STEP_MS = 20;
