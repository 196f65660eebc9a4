/**
 * A webhook that is paused while people go on and processes are killed: nothing is sent meanwhile, and all of it arrives afterwards.
 *
 *   node scripts/test.ts test/faults/webhooks-paused.test.ts
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { engineOrAll } from '@symbolon/testkit/platform/engines';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { Random } from '@symbolon/testkit/platform/random';
import { SHAPES, World } from './support/world.ts';

const SEED = Number(process.env.SYMBOLON_FAULT_SEED ?? Math.floor(Math.random() * 2 ** 32));
/** So many events are held before the kill, and again after it. */
const HELD = 5;

const tried = engineOrAll('postgres');

describe(`a webhook that is paused (seed ${SEED})`, { concurrency: tried.length }, () => {
  for (const engine of tried) {
    test(`loses nothing to a kill (${engine})`, async (t) => {
      const world = await World.create({
        random: new Random(SEED),
        processes: 1,
        shapes: SHAPES.slice(0, 1),
        ...(engine === 'postgres' && { databaseUrl: 'new' }),
      });
      try {
        const [webhook] = world.webhooks;
        const [server] = world.servers;
        assert.ok(webhook && server);
        const { receiver } = webhook;
        receiver.choose = () => 'ok';
        const load = world.load();
        load.start(new Random(SEED), 2);
        await eventually('deliveries flow', () => receiver.delivered.length > 0 || undefined);
        await world.configure(webhook, { paused: true });
        const holds = (least: number) =>
          eventually('events are held', async () => {
            const { backlog } = await world.look(webhook);
            return backlog >= least ? backlog : undefined;
          });
        const before = await holds(HELD);
        await world.disturb('a kill', () => server.kill());
        await server.start();
        // What was on its way when it was paused has come by now.
        const sent = receiver.delivered.length;
        await holds(before + HELD);
        assert.equal(receiver.delivered.length, sent, 'nothing is sent while it is paused');
        await world.configure(webhook, { paused: false });
        await load.stop();
        await world.settle();
        t.diagnostic(await world.judge());
      } finally {
        await world.end();
      }
    });
  }
});
