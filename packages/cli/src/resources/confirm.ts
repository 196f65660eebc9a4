import { Problem } from '../problem.ts';
import { askLine } from '../terminal/ask-line.ts';
import type { Run } from './run.ts';
import type { Members } from './structured-file.ts';
import type { Verb } from './table/types.ts';

/** Before anything is asked of the platform. @throws Problem where the user cannot be asked */
export function refuseUnasked({ asks }: Pick<Verb, 'asks'>, { yes, dryRun, file }: Members): void {
  if (asks === undefined || yes || dryRun) return;
  // What is read from standard input leaves no way to ask.
  if (!process.stdin.isTTY || file === '-')
    throw new Problem(`${asks} Give --yes for that.`, { exitCode: 2 });
}

/** @throws Problem unless the person says yes */
export async function confirmed({
  verb,
  options,
  named,
}: Pick<Run, 'verb' | 'options' | 'named'>): Promise<void> {
  if (verb.asks === undefined || options.yes) return;
  await askYes(`${verb.name} ${named}? ${verb.asks}`);
}

export async function askYes(question: string): Promise<void> {
  const answer = await askLine(`${question} Type yes`, 'Give --yes for that.');
  if (answer.toLowerCase() !== 'yes') throw new Problem('Nothing was done.');
}
