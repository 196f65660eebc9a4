/**
 * Breaks everything that can be broken under a platform in use, and compares what it reported with what is there:
 *
 *   npm run chaos -- --seconds 300 [--seed 7] [--engine sqlite|postgres] [--only 'part of a name'] [--json FILE]
 *
 * The same by SYMBOLON_CHAOS_SECONDS, _SEED, _ENGINE and _ONLY. `--seconds` is what all faults of an engine take together;
 * each is run again and again until it is over.
 */
import { writeFileSync } from 'node:fs';
import { Random } from '@symbolon/testkit/platform/random';
import type { Engine } from '../../packages/server/src/db/database.ts';
import { parsedArguments } from '../../scripts/usage.ts';
import type { ChaosFault } from './faults/fault.ts';
import { problemsOf, tableOf } from './report.ts';
import { runRounds } from './rounds.ts';
import { chaosFaults, type Round } from './runner.ts';
import type { Setting } from './support/installation.ts';

const { env } = process;
const USAGE =
  'npm run chaos [-- --seconds N] [--seed N] [--engine sqlite,postgres] [--only NAME] [--json FILE] [--logs]';
const { values } = parsedArguments(USAGE, {
  options: {
    seconds: { type: 'string', default: env.SYMBOLON_CHAOS_SECONDS ?? '120' },
    seed: { type: 'string', default: env.SYMBOLON_CHAOS_SEED ?? String(Math.floor(Math.random() * 2 ** 32)) },
    engine: { type: 'string', default: env.SYMBOLON_CHAOS_ENGINE ?? 'sqlite,postgres' },
    only: { type: 'string', default: env.SYMBOLON_CHAOS_ONLY ?? '' },
    json: { type: 'string' },
    logs: { type: 'boolean', default: false },
  },
});
const seed = Number(values.seed);
const rounds: Round[] = [];
console.log(`seed ${seed}`);
for (const engine of values.engine.split(',') as Engine[]) {
  const random = new Random(seed);
  for (const setting of ['one', 'regions'] as const) {
    const faults = chaosFaults.filter(
      (fault) =>
        fault.engines.includes(engine) &&
        (fault.setting ?? 'one') === setting &&
        fault.name.includes(values.only),
    );
    if (faults.length > 0) await inWorld(engine, setting, faults, random.fork());
  }
}

function inWorld(
  engine: Engine,
  setting: Setting,
  faults: readonly ChaosFault[],
  random: Random,
): Promise<void> {
  return runRounds({
    engine,
    setting,
    faults,
    random,
    seconds: Math.max(2, Math.min(20, Number(values.seconds) / faults.length)),
    until: performance.now() + Number(values.seconds) * 1000,
    repeats: true,
    ended(round) {
      rounds.push(round);
      console.log(tableOf([round]).split('\n').at(-1));
      for (const line of problemsOf([round])) console.log(line);
    },
    missing: (reason) => console.log(`${engine}: ${reason}`),
    ...(values.logs && { logged: console.log }),
  });
}

console.log(`\n${tableOf(rounds)}`);
for (const line of problemsOf(rounds)) console.log(line);
if (values.json !== undefined) writeFileSync(values.json, JSON.stringify({ seed, rounds }, undefined, 2));
process.exitCode = rounds.some(({ problems }) => problems.length > 0) ? 1 : 0;
