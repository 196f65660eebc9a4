/**
 * Webhooks that lose nothing: receivers that fail in every way, processes that are killed at any moment, on both engines,
 * and a model that knows what must arrive, in which order, and what may come twice.
 *
 * Bounded here. For longer, with one random seed after the other:
 *   SYMBOLON_FAULT_SECONDS=600 node scripts/test.ts test/faults/webhooks.test.ts --test-timeout=1800000
 * A seed that failed (what people do and receivers answer is decided again; how processes interleave is not):
 *   SYMBOLON_FAULT_SEED=12345 node scripts/test.ts test/faults/webhooks.test.ts
 */
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { KILLS_EXTRA_MS } from '@symbolon/testkit/limits';
import { engineOrAll } from '@symbolon/testkit/platform/engines';
import { Random } from '@symbolon/testkit/platform/random';
import { isAtLength, rounds } from '@symbolon/testkit/thoroughness';
import type { Engine } from '../../packages/server/src/db/database.ts';
import { World } from './support/world.ts';

const seconds = Number(process.env.SYMBOLON_FAULT_SECONDS ?? 0);
const ROUND_SECONDS = seconds > 0 ? 15 : rounds(3, 5);
const DRIVERS = 6;
const KILLS_LEAST = 4;
/** With one of them dead, the others go on. */
const PROCESSES_ON_POSTGRES = seconds > 0 ? 3 : rounds(2, 3);

const tried = engineOrAll('postgres');

// Most of the time is waiting, for probes and for answers that never come: the engines wait together.
describe('webhooks that lose nothing', { concurrency: tried.length }, () => {
  for (const engine of tried) {
    describe(engine, { concurrency: 1 }, () => {
      for (const [name, kills] of [
        ['receivers that fail', false],
        ['receivers that fail, processes that are killed', true],
      ] as const) {
        // What fails without kills fails beside them.
        if (!kills && !isAtLength) continue;
        test(name, async (t) => {
          for (const seed of seeds(kills)) await round(t, { engine, seed, kills });
        });
      }
    });
  }
});

/** Fixed ones, and a random one; by hand as many as there is time for. */
function* seeds(kills: boolean): Generator<number> {
  const asked = process.env.SYMBOLON_FAULT_SEED;
  if (asked !== undefined) return yield Number(asked);
  if (seconds === 0 && isAtLength) yield* kills ? [1] : [];
  const end = performance.now() + seconds * 500;
  do yield Math.floor(Math.random() * 2 ** 32);
  while (performance.now() < end);
}

async function round(
  t: TestContext,
  { engine, seed, kills }: { engine: Engine; seed: number; kills: boolean },
) {
  const random = new Random(seed);
  const world = await World.create({
    random,
    processes: engine === 'sqlite' ? 1 : PROCESSES_ON_POSTGRES,
    ...(engine === 'sqlite' ? {} : { databaseUrl: 'new' }),
  });
  try {
    let goesOn = true;
    const load = world.load();
    load.start(random.fork(), DRIVERS);
    const killing = kills ? world.killAtRandom(random.fork(), () => goesOn) : undefined;
    await pause(ROUND_SECONDS * 1000);
    const killed = () => world.disturbances.filter(({ what }) => what === 'a kill').length;
    const end = performance.now() + KILLS_EXTRA_MS;
    while (kills && killed() < KILLS_LEAST && performance.now() < end) await pause(50);
    goesOn = false;
    await killing;
    await load.stop();
    await world.settle();
    t.diagnostic(`${engine}, seed ${seed}: ${await world.judge()}`);
  } catch (error) {
    const endings = world.servers.flatMap((server) => server.endings);
    throw new Error([`Seed ${seed}: ${(error as Error).message}`, ...endings].join('\n'), { cause: error });
  } finally {
    await world.end();
  }
}
