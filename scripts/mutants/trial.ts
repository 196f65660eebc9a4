import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Mutant, mutate } from './mutable.ts';
import { type Reaching, stepsFor } from './plan.ts';
import { processesOf, runTests } from './processes.ts';
import type { Reach } from './reach.ts';
import { Ended, type FileReach } from './settings.ts';

export interface Trial {
  readonly outcome: 'noticed' | 'not noticed' | 'not reached';
  /** The test that noticed it, or how else it was noticed. */
  readonly by?: string;
  /** The tests that reach it, and of files that reach it outside of their tests the file. */
  readonly reaching: readonly string[];
  /** The files whose tests were run. */
  readonly tried: readonly string[];
}

interface Settings {
  readonly root: string;
  readonly folder: string;
  readonly reach: Reach;
  /** Of processor time, that a process may use beside what its tests took without a mutant. */
  readonly seconds?: number;
}

/** Breaks the server and runs the tests that reach the broken place, until one of them fails. */
export async function tryMutant(
  mutant: Mutant,
  reachingFiles: readonly Reaching[],
  { root, folder, reach, seconds = 15 }: Settings,
): Promise<Trial> {
  const reaching = reachingFiles.flatMap(({ file, tests }) => (tests.length > 0 ? tests : [file]));
  const tried: string[] = [];
  if (reachingFiles.length === 0) return { outcome: 'not reached', reaching, tried };
  const changed = join(folder, 'mutated', `${mutant.start}-${mutant.kind}`, mutant.file);
  mkdirSync(join(changed, '..'), { recursive: true });
  writeFileSync(changed, mutate(readFileSync(join(root, mutant.file), 'utf8'), mutant));
  for (const step of stepsFor(reachingFiles)) {
    const files = step.map(({ file }) => file);
    for (const run of processesOf(files, folder, root)) {
      tried.push(...run.files);
      const own = step.filter(({ file }) => run.files.includes(file));
      const by = await noticedBy(run, own);
      if (by !== undefined) return { outcome: 'noticed', by, reaching, tried };
    }
  }
  return { outcome: 'not noticed', reaching, tried };

  async function noticedBy(run: Parameters<typeof runTests>[0], own: readonly Reaching[]) {
    const known = run.files.flatMap((file) => entriesOf(reach.get(file)));
    const unsteady = known.filter(([, { passed }]) => !passed);
    // What reaches it around the tests may show in any of them.
    const reachingTests = own.every(({ tests }) => tests.length > 0)
      ? own.flatMap(({ tests }) => tests)
      : undefined;
    const settings = {
      root,
      steady: known.filter(([, { passed }]) => passed).map(([name]) => name),
      ...(reachingTests === undefined ? {} : { reaching: reachingTests }),
    };
    const bounds = boundsOf(own, seconds);
    const broken = { ...settings, sources: { [mutant.file]: changed } };
    const { code, result, said } = await runTests(run, folder, broken, bounds);
    if (code === Ended.notNoticed || code === 0) return undefined;
    if (code === Ended.noticed) return result ?? run.files.join(', ');
    // No test is named: it counts only when the same tests pass without the mutant.
    const whole = await runTests(run, folder, { ...settings, sources: {} }, bounds);
    const passes = whole.code === Ended.notNoticed || whole.code === 0;
    if (!passes && unsteady.length === 0) {
      throw new Error(
        `The tests of ${run.files.join(', ')} fail without a mutant too: ${lastLine(whole.said)}`,
      );
    }
    if (!passes) return undefined;
    return `${run.files.join(', ')}: ${code === undefined ? 'took too long' : lastLine(said)}`;
  }
}

/** Far more than they took without a mutant: others may use the machine. */
function boundsOf(files: readonly Reaching[], least: number): { seconds: number; waitSeconds: number } {
  const cost = files.reduce((sum, { cost }) => sum + cost, 0) / 1000;
  return { seconds: least + 5 * cost, waitSeconds: 60 + 15 * cost };
}

const entriesOf = (reach: FileReach | undefined) => Object.entries(reach?.tests ?? {});

const lastLine = (text: string) => text.trim().split('\n').at(-1) ?? '';
