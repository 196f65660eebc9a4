import { existsSync } from 'node:fs';
import { type Change, ChangePump } from '@symbolon/sdk';
import { Problem } from '../problem.ts';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { jsonLine, printable } from '../terminal/text.ts';

/** Lists what was given up; values stay sealed, no configuration is needed. */
export async function listDeadLetters(options: { buffer: string; json?: boolean }): Promise<void> {
  const letters = bufferOf(options.buffer).deadLetters();
  const paint = createPaint(process.stdout);
  for (const { id, event, attempts, error, diedAt } of letters) {
    const at = new Date(diedAt).toISOString();
    await writeLine(
      options.json
        ? jsonLine({ id, event: event.event, slug: event.slug ?? null, attempts, error, died_at: at })
        : `${paint.dim(at)}  ${paint.name(printable(event.event))}  ${printable(id)}  ${attempts} attempts  ${paint.bad(printable(error))}`,
    );
  }
  if (letters.length === 0 && !options.json) await writeLine(paint.dim('No dead letters.'));
}

/** Puts one back in line, or all. @throws Problem when there is no such dead letter */
export async function redrive(id: string | undefined, options: { buffer: string }): Promise<void> {
  const count = bufferOf(options.buffer).redrive(id ?? 'all');
  if (count === 0 && id !== undefined) {
    throw new Problem(`There is no dead letter ${id}. symbolon pump dead lists them.`);
  }
  await writeLine(count === 1 ? '1 change is back in line.' : `${count} changes are back in line.`);
}

/** A pump that is never started: it only lends its buffer. */
function bufferOf(file: string): ChangePump {
  if (!existsSync(file)) throw new Problem(`There is no buffer ${file}. Give its path with --buffer.`);
  const never = () => Promise.reject(new Error('This pump is not started.'));
  return new ChangePump<Change>({
    client: { changes: never, openChange: never },
    file,
    handle: () => undefined,
  });
}
