/**
 * A short round of each fault, with fixed seeds. Longer ones: `npm run chaos` (CONTRIBUTING.md).
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Engine } from '../../packages/server/src/db/database.ts';
import { engines } from '../../packages/server/src/testing/platform.ts';
import { Random } from '../faults/support/random.ts';
import { problemsOf, tableOf } from './report.ts';
import { chaosFaults, type Round, runRound } from './runner.ts';
import type { Setting } from './support/installation.ts';
import { World } from './world.ts';

const SECONDS = 2;
const HANG_MS = 600_000;
/** The bar of `npm run chaos` is for a machine that does nothing else. */
const RECOVERY_MOST_MS = 20_000;

// Most of the time is waiting: the worlds wait together, as far as the machine allows.
describe('a platform under chaos', { concurrency: 2 }, () => {
  for (const [engine, setting, seed] of [
    ['postgres', 'one', 1],
    ['sqlite', 'one', 2],
    ['sqlite', 'regions', 3],
  ] as const) {
    const skip = !engines.includes(engine) && 'PostgreSQL not found';
    const name = setting === 'one' ? `one region on ${engine}` : `two regions on ${engine}`;
    test(name, { skip, timeout: HANG_MS }, async (t) => {
      const rounds = await roundsOf(engine, setting, new Random(seed));
      for (const line of tableOf(rounds).split('\n')) t.diagnostic(line);
      assert.equal(problemsOf(rounds).join('\n'), '');
    });
  }
});

async function roundsOf(engine: Engine, setting: Setting, random: Random): Promise<Round[]> {
  const rounds: Round[] = [];
  const world = await World.create(engine, random.fork(), setting);
  try {
    for (const fault of chaosFaults) {
      if (!fault.engines.includes(engine) || (fault.setting ?? 'one') !== setting) continue;
      const round = await runRound(world, fault, random.fork(), SECONDS);
      const isSlow = round.allRecoveredMs > RECOVERY_MOST_MS;
      const problems = round.problems.filter(({ kind }) => kind !== 'slow recovery' || isSlow);
      rounds.push({ ...round, problems });
    }
  } finally {
    await world.end();
  }
  return rounds;
}
