/** Two processes behind PgBouncer, under load, in both modes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { engines } from '@symbolon/testkit/platform/engines';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { OPERATOR, openPlace } from '@symbolon/testkit/platform/places';
import type { PlatformProcess } from '@symbolon/testkit/platform/process';
import { Random } from '@symbolon/testkit/platform/random';
import { startPgBouncer } from '@symbolon/testkit/servers/pgbouncer';
import { isAtLength, rounds } from '@symbolon/testkit/thoroughness';
import { without } from '@symbolon/testkit/tools';
import { lookForPooler } from '../../packages/server/src/db/pooler.ts';
import { World } from './support/world.ts';

const SEED = 20_260_101;
/** Others do the work. */
const LOOK_MS = 50;
const LIVES = rounds(3, 12);
const NO_NAMES = 'knows no prepared statements';
const NO_SIGNALS = 'signals of other processes do not come through it';

const skip = engines.includes('postgres') ? without('pgbouncer', 'pg_dump') : 'PostgreSQL not found';

describe('a platform behind PgBouncer', { skip }, () => {
  test('loses nothing where a connection is lent for a transaction, and says what the pooler cannot do', async () => {
    await using place = await openPlace('postgres', 'empty');
    const direct = place.databaseUrl ?? '';
    await using pooler = await startPgBouncer(direct, 'transaction');
    assert.deepEqual(await lookForPooler(direct), { lends: false, keepsNames: true });
    // Debian 12 has 1.18; prepared statements in this mode came with 1.21.
    assert.deepEqual(await lookForPooler(pooler.url), { lends: true, keepsNames: false });
    await liveBehind(pooler.url, { SYMBOLON_DATABASE_DIRECT_URL: direct }, async ([first, second]) => {
      for (const { lines } of [first, second]) {
        assert.equal(lines.filter((line) => line.includes(NO_NAMES)).length, 1);
        assert.equal(lines.filter((line) => line.includes(NO_SIGNALS)).length, 0);
      }
      const backup = await first.call('POST', '/api/admin/backup', { token: OPERATOR });
      assert.equal(backup.status, 200);
      await second.stop();
      second.extra = { SYMBOLON_DATABASE_DIRECT_URL: '' };
      await second.start();
      assert.equal(second.lines.filter((line) => line.includes(NO_SIGNALS)).length, 1);
      const refused = await second.call('POST', '/api/admin/backup', { token: OPERATOR });
      assert.deepEqual(await refusalOf(refused), [503, 'admin.backup_unavailable']);
      assert.match(refused.text, /SYMBOLON_DATABASE_DIRECT_URL/);
    });
  });

  test('finds nothing to say where it is kept for the session', {
    skip: !isAtLength && 'with --all',
  }, async () => {
    await using place = await openPlace('postgres', 'empty');
    await using pooler = await startPgBouncer(place.databaseUrl ?? '', 'session');
    assert.deepEqual(await lookForPooler(pooler.url), { lends: false, keepsNames: true });
    await liveBehind(pooler.url, {}, async ([first, second]) => {
      for (const { lines } of [first, second])
        assert.deepEqual(
          lines.filter((line) => line.includes('pooler')),
          [],
        );
      const backup = await first.call('POST', '/api/admin/backup', { token: OPERATOR });
      assert.equal(backup.status, 200);
    });
  });
});

/** The schema is made, people live, and all that they did has arrived. */
async function liveBehind(
  databaseUrl: string,
  environment: Readonly<Record<string, string>>,
  afterwards: (servers: readonly [PlatformProcess, PlatformProcess]) => Promise<void>,
): Promise<void> {
  const random = new Random(SEED);
  const world = await World.create({
    random,
    processes: 2,
    databaseUrl,
    environment: { ...environment, SYMBOLON_LOG_LEVEL: 'warn' },
  });
  try {
    const load = world.load();
    load.start(random.fork(), 4);
    await eventually('people live', () => load.lived >= LIVES || undefined, LOOK_MS);
    await load.stop();
    await world.settle();
    await world.judge();
    await afterwards(world.servers as [PlatformProcess, PlatformProcess]);
  } catch (cause) {
    const failures = world.servers.flatMap(({ lines }) => lines.filter((line) => /"level":[56]0/.test(line)));
    throw new Error(failures.join('\n'), { cause });
  } finally {
    await world.end();
  }
}
