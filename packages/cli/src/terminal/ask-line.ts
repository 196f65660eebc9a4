import { createInterface } from 'node:readline';
import { Interrupted, Problem } from '../problem.ts';

/**
 * Asks at the terminal for something that is no secret.
 *
 * @param instead what to do without a terminal
 * @throws Problem without a terminal; Interrupted at Ctrl-C
 */
export async function askLine(question: string, instead: string): Promise<string> {
  if (!process.stdin.isTTY) throw new Problem(instead, { exitCode: 2 });
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise((resolve, reject) => {
      lines.once('SIGINT', () => reject(new Interrupted()));
      lines.once('close', () => reject(new Interrupted()));
      lines.question(`${question}: `, (answer) => resolve(answer.trim()));
    });
  } finally {
    lines.close();
  }
}
