/** The server of PostgreSQL that leads is lost under load, and the one that followed it leads in its place, behind the same address. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FAILOVER_BAR_MS } from '@symbolon/testkit/limits';
import { HOST } from '@symbolon/testkit/platform/address';
import { engines } from '@symbolon/testkit/platform/engines';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { Random } from '@symbolon/testkit/platform/random';
import { startPostgres } from '@symbolon/testkit/servers/postgres';
import { TcpProxy } from '@symbolon/testkit/servers/tcp-proxy';
import { isAtLength } from '@symbolon/testkit/thoroughness';
import { World } from './support/world.ts';

const SEED = 20_260_101;
/** Others do the work. */
const LOOK_MS = 20;

const noPostgres = !engines.includes('postgres') && 'PostgreSQL not found';
const skip = isAtLength ? noPostgres : 'with --all';

test('a follower takes the place of a PostgreSQL that is lost, and nothing that was acknowledged is', {
  skip,
}, async (t) => {
  const postgres = await startPostgres({ durable: true, settings: { wal_level: 'replica' } });
  assert.ok(postgres);
  await using address = await TcpProxy.start(HOST, postgres.port);
  try {
    const follower = await postgres.follow();
    const random = new Random(SEED);
    const databaseUrl = `postgres://symbolon@${address.address}/postgres`;
    const world = await World.create({ random, processes: 2, databaseUrl });
    try {
      const load = world.load();
      load.start(random.fork(), 4);
      const lives = async (more: number) => {
        const lived = load.lived;
        await eventually('people live', () => load.lived >= lived + more || undefined, LOOK_MS);
      };
      await lives(4);
      const lost = performance.now();
      await world.disturb('the leader is lost', async () => {
        await postgres.kill();
        await follower.promote();
        address.lead(follower.port);
        await lives(1);
      });
      const savedAgainMs = Math.round(performance.now() - lost);
      t.diagnostic(`saved again after ${savedAgainMs} ms`);
      assert.ok(savedAgainMs < FAILOVER_BAR_MS);
      await lives(4);
      await load.stop();
      await world.settle();
      t.diagnostic(await world.judge());
    } finally {
      await world.end();
    }
  } finally {
    await postgres.stop();
  }
});
