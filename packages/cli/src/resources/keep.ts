import { existsSync } from 'node:fs';
import type { Answer } from '@symbolon/sdk/account';
import { writeNew, writePrivate } from '../files/whole-file.ts';
import { Problem } from '../problem.ts';
import { writeLine, writeOut } from '../terminal/output.ts';
import type { Run } from './run.ts';
import type { Members } from './structured-file.ts';

/** Found out before a secret is made that has nowhere to go. */
export function refuseTaken(file: unknown): void {
  if (typeof file !== 'string' || !existsSync(file)) return;
  throw new Problem(`${file} is there already. Move it away or choose another --out.`);
}

/** Writes what is shown this once to the file of `--out`, and gives what is left to show. */
export function handOver({ verb, options, caller }: Run, answer: Members): Members {
  const { out } = options;
  const [secret = ''] = verb.once ?? [];
  if (typeof out !== 'string' || typeof answer[secret] !== 'string') return answer;
  const kept = Object.fromEntries((verb.once ?? []).toReversed().map((name) => [name, answer[name]]));
  writePrivate(out, `${JSON.stringify({ base_url: caller.baseUrl, ...kept }, null, 2)}\n`);
  const { [secret]: _, ...shown } = answer;
  return { ...shown, file: out };
}

/** A file of the platform: to `--out`, else to standard output unless that is a terminal. */
export async function keepFile({ options, json }: Run, { bytes }: Answer): Promise<void> {
  const { out } = options;
  if (typeof out === 'string') {
    await writeNew(out, bytes);
    return writeLine(
      json ? JSON.stringify({ file: out, size: bytes.length }) : `${out}  ${bytes.length} bytes`,
    );
  }
  if (process.stdout.isTTY)
    throw new Problem('Name a file with --out, or send the output to one.', { exitCode: 2 });
  await writeOut(bytes);
}
