import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { systemTimers } from '../core/timers.ts';
import type { Engine, Writer } from './database.ts';
import { WriteSteps } from './write-steps.ts';

/** How long a step with so many rows holds the writer. */
type Cost = (rows: number, step: number) => number;

/**
 * Takes steps until `total` rows are done, and then others at another cost, and gives the number of rows and the time of
 * each. The clock stands between them.
 */
async function stepsOf(
  t: TestContext,
  engine: Engine,
  total: number,
  cost: Cost,
  others: { total: number; cost: Cost } = { total: 0, cost },
) {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const steps = new WriteSteps({
    // A pause is as short as it can be: how long it is does not matter here.
    timers: { after: (_ms, work) => systemTimers.after(0, work, { keepsAlive: true }) },
    database: { engine, untilIdle: async () => {}, write: (work) => work({} as Writer) },
  });
  const taken: { rows: number; ms: number }[] = [];
  const take = async (kind: { total: number; cost: Cost }) => {
    for (let left = kind.total; left > 0; ) {
      await steps.take(async (_writer, most) => {
        const rows = Math.min(most, left);
        const ms = kind.cost(rows, taken.length);
        now += ms;
        left -= rows;
        taken.push({ rows, ms });
        return { rows };
      });
    }
  };
  await take({ total, cost });
  await take(others);
  return taken;
}

describe('the size of steps', () => {
  test('stays large on PostgreSQL when round trips are slow, since small steps would not be shorter', async (t) => {
    const steps = await stepsOf(t, 'postgres', 100_000, (rows) => 80 + rows * 0.05);
    assert.ok(steps.length < 250, `${steps.length} steps`);
  });

  test('stays large on PostgreSQL when the machine is busy now and then', async (t) => {
    let seed = 7;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const steps = await stepsOf(t, 'postgres', 100_000, (rows) => 30 + 90 * random() + rows * 0.05);
    assert.ok(steps.length < 800, `${steps.length} steps`);
  });

  test('grows on PostgreSQL after the round trips became slow', async (t) => {
    const steps = await stepsOf(t, 'postgres', 50_000, (rows, step) => (step < 20 ? 5 : 100) + rows * 0.05);
    assert.ok(steps.length < 150, `${steps.length} steps`);
  });

  test('is halved on PostgreSQL by a single slow moment, and grows again', async (t) => {
    const steps = await stepsOf(t, 'postgres', 20_000, (rows, step) =>
      step === 15 ? 2_000 : 5 + rows * 0.05,
    );
    assert.deepEqual(
      steps.slice(15, 18).map(({ rows }) => rows),
      [500, 250, 500],
    );
  });

  test('follows the cost of a row on PostgreSQL', async (t) => {
    const steps = await stepsOf(t, 'postgres', 5_000, (rows) => 10 + rows);
    const longest = Math.max(...steps.map(({ ms }) => ms));
    assert.ok(longest <= 90, `${longest} ms`);
  });

  test('is corrected at once on SQLite, where everybody waits', async (t) => {
    const steps = await stepsOf(t, 'sqlite', 5_000, (rows, step) => rows * (step < 10 ? 0.01 : 1));
    const long = steps.filter(({ ms }) => ms > 20);
    assert.equal(long.length, 1);
  });

  test('begins small where rows of another kind begin, which may cost more', async (t) => {
    for (const engine of ['sqlite', 'postgres'] as const) {
      const dear = { total: 1_000, cost: (rows: number) => rows * 0.3 };
      const steps = await stepsOf(t, engine, 4_001, (rows) => rows * 0.01, dear);
      assert.ok(
        steps.some(({ rows }) => rows === 500),
        engine,
      );
      const longest = Math.max(...steps.map(({ ms }) => ms));
      assert.ok(longest <= (engine === 'sqlite' ? 10 : 60), `${longest} ms on ${engine}`);
    }
  });
});
