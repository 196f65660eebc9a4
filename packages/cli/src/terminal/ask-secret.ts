import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Interrupted, Problem } from '../problem.ts';

/**
 * Asks at the terminal without showing what is typed.
 *
 * @param instead what to do without a terminal
 * @throws Problem without a terminal; Interrupted at Ctrl-C
 */
export async function askSecret(question: string, instead: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Problem(instead, { exitCode: 2 });
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write(`${question}: `);
  try {
    return await new Promise((resolve, reject) => {
      lines.once('SIGINT', () => reject(new Interrupted()));
      lines.once('close', () => reject(new Interrupted()));
      lines.question('', resolve);
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
