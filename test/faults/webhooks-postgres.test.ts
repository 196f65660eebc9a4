/**
 * What can break between several processes and one PostgreSQL: a holder of leases that dies, one that stands still without
 * knowing it, and the database itself, which goes away under load and comes back.
 *
 *   node scripts/test.ts test/faults/webhooks-postgres.test.ts
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { engines } from '@symbolon/testkit/platform/engines';
import { eventually } from '@symbolon/testkit/platform/eventually';

import { Random } from '@symbolon/testkit/platform/random';
import { startPostgres } from '@symbolon/testkit/servers/postgres';
import { isAtLength } from '@symbolon/testkit/thoroughness';
import { webhookPace } from '../../packages/server/src/domains/delivery/webhooks/pace.ts';
import { FAST, SHAPES, World } from './support/world.ts';

const SEED = Number(process.env.SYMBOLON_FAULT_SEED ?? Math.floor(Math.random() * 2 ** 32));
const skip = !engines.includes('postgres') && 'PostgreSQL not found';
const atLength = { skip: !isAtLength && 'with --all' };

const ONE = SHAPES.slice(0, 1);

describe(`webhooks of several processes on one database (seed ${SEED})`, { skip, concurrency: 3 }, () => {
  test('another process takes over from one that died, within seconds and in order', async (t) => {
    await withWorld({ processes: 2, databaseUrl: 'new', pace: webhookPace, shapes: ONE }, async (world) => {
      const [webhook] = world.webhooks;
      assert.ok(webhook);
      const { receiver } = webhook;
      receiver.choose = () => 'ok';
      const load = world.load();
      load.start(new Random(SEED), 1);
      await eventually('deliveries flow', () => receiver.delivered.length > 10 || undefined);
      receiver.choose = () => 'hang';
      const before = receiver.delivered.length;
      await eventually('a POST hangs', () => receiver.delivered.length > before || undefined);
      const holder = await world.holder(webhook.id);
      receiver.choose = () => 'ok';
      const hanging = receiver.delivered.length;
      const died = performance.now();
      await world.disturb('a kill', () => holder.kill());
      await eventually('another process delivers', () => receiver.delivered.length > hanging || undefined);
      t.diagnostic(`taken over after ${Math.round(performance.now() - died)} ms`);
      await holder.start();
      await load.stop();
      await world.settle();
      t.diagnostic(await world.judge());
    });
  });

  test('a process that stood still beyond its lease does no harm when it goes on', atLength, async (t) => {
    const random = new Random(SEED);
    await withWorld({ processes: 2, databaseUrl: 'new' }, async (world) => {
      const load = world.load();
      load.start(random.fork(), 3);
      for (let round = 0; round < 3; round++) {
        await pause(random.whole(200, 900));
        const frozen = random.pick(world.servers);
        await world.disturb('a process stood still', async () => {
          frozen.freeze();
          await pause(FAST.leaseMs + random.whole(0, 800));
          frozen.thaw();
          // It notices as it looks at the time again; until then its requests are answered.
          await pause(FAST.postTimeoutMs);
        });
      }
      await load.stop();
      await world.settle();
      t.diagnostic(await world.judge());
    });
  });

  test('PostgreSQL goes away under load and comes back', atLength, async (t) => {
    const random = new Random(SEED);
    const postgres = await startPostgres({ durable: true });
    assert.ok(postgres);
    try {
      await withWorld({ processes: 2, databaseUrl: postgres.url }, async (world) => {
        const load = world.load();
        load.start(random.fork(), 4);
        for (const awayMs of [0, 500, FAST.leaseMs + 500]) {
          await pause(random.whole(500, 1200));
          await world.disturb('a restart of PostgreSQL', async () => {
            await postgres.kill();
            await pause(awayMs);
            await postgres.restart();
          });
        }
        await pause(500);
        await load.stop();
        await world.settle();
        // A moment of its own for signals: their connection is made again.
        t.diagnostic(await world.judge());
      });
    } finally {
      await postgres.stop();
    }
  });
});

async function withWorld(
  options: Omit<Parameters<typeof World.create>[0], 'random'>,
  work: (world: World) => Promise<void>,
): Promise<void> {
  const world = await World.create({ random: new Random(SEED), ...options });
  try {
    await work(world);
  } catch (error) {
    const endings = world.servers.flatMap((server) => server.endings);
    throw new Error([`Seed ${SEED}: ${(error as Error).message}`, ...endings].join('\n'), { cause: error });
  } finally {
    await world.end();
  }
}
