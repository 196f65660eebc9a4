import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ROUNDS_BUDGET_MS, SHORT_ROUND_RECOVERY_MS } from '@symbolon/testkit/limits';
import { engines } from '@symbolon/testkit/platform/engines';
import { Random } from '@symbolon/testkit/platform/random';
import type { Engine } from '../../packages/server/src/db/database.ts';
import { problemsOf, tableOf } from './report.ts';
import { runRounds } from './rounds.ts';
import { chaosFaults, type Round } from './runner.ts';
import type { Setting } from './support/installation.ts';

/** Fixed, so that a failure can be looked for again with the same acts and the same faults. */
const SEED = 20_260_101;
const SECONDS = 2;
/** What depends on how busy the machine is: reported, and no failure. */
const OF_THE_CLOCK: ReadonlySet<string> = new Set(['late', 'hang', 'slow recovery', 'false health']);

/** What breaks in the worlds of a test, those first that matter most. */
export type Plan = Readonly<Partial<Record<Setting, readonly string[]>>>;

/** Short rounds of some faults on one engine. Longer ones, with all faults: `npm run chaos` (CONTRIBUTING.md). */
export function chaosOn(engine: Engine, plan: Plan): void {
  const skip = !engines.includes(engine) && 'PostgreSQL not found';
  describe(`a platform under chaos on ${engine}`, { skip }, () => {
    const settings = Object.entries(plan) as [Setting, readonly string[]][];
    for (const [setting, names] of settings) {
      test(setting === 'one' ? 'one region' : 'two regions', async (t) => {
        const rounds: Round[] = [];
        t.diagnostic(`seed ${SEED}`);
        await runRounds({
          engine,
          setting,
          faults: names.map(faultOf),
          random: new Random(SEED),
          seconds: SECONDS,
          until: performance.now() + ROUNDS_BUDGET_MS / settings.length,
          ended(round) {
            rounds.push(round);
            t.diagnostic(tableOf([round]).split('\n').at(-1) ?? '');
            for (const line of problemsOf([round])) t.diagnostic(line);
          },
          missing: (reason) => t.diagnostic(reason),
        });
        const left = names.slice(rounds.length);
        if (left.length > 0) t.diagnostic(`out of time, not run: ${left.join('; ')}`);
        assert.ok(rounds.length > 0, 'not one round was run');
        assert.equal(problemsOf(rounds.map(withoutClock)).join('\n'), '');
        for (const { fault, skipped, allRecoveredMs } of rounds) {
          if (skipped !== undefined) continue;
          assert.ok(
            allRecoveredMs <= SHORT_ROUND_RECOVERY_MS,
            `${fault}: recovered after ${allRecoveredMs} ms`,
          );
        }
      });
    }
  });
}

function faultOf(name: string) {
  const fault = chaosFaults.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`There is no fault '${name}'.`);
  return fault;
}

function withoutClock(round: Round): Round {
  return { ...round, problems: round.problems.filter(({ kind }) => !OF_THE_CLOCK.has(kind)) };
}
