/** Three processes behind PgBouncer, under load, in both modes; tests of domains; a pooler that stops to follow names. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { refusalOf } from '@symbolon/testkit/platform/calls';
import { ENGINES_VARIABLE, engines } from '@symbolon/testkit/platform/engines';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { OPERATOR, openPlace } from '@symbolon/testkit/platform/places';
import { POOLER_VARIABLE } from '@symbolon/testkit/platform/postgres-databases';
import type { PlatformProcess } from '@symbolon/testkit/platform/process';
import { Random } from '@symbolon/testkit/platform/random';
import { startPgBouncer } from '@symbolon/testkit/servers/pgbouncer';
import { isAtLength, rounds } from '@symbolon/testkit/thoroughness';
import { without } from '@symbolon/testkit/tools';
import { sql } from 'kysely';
import { lookForPooler } from '../../packages/server/src/db/pooler.ts';
import { openPostgres } from '../../packages/server/src/db/postgres.ts';
import { World } from './support/world.ts';

const SEED = 20_260_101;
/** Others do the work. */
const LOOK_MS = 50;
const LIVES = rounds(3, 12);
const NO_NAMES = 'knows no prepared statements';
const NO_SIGNALS = 'signals of other processes do not come through it';

type Servers = readonly [PlatformProcess, PlatformProcess, PlatformProcess];
/** Tests of the store through the calls of a platform: what is shared, delivered and said. */
const DOMAINS = ['sharing', 'delivery', 'conversation', 'people'].map(
  (domain) => `packages/server/src/domains/${domain}/**/*.test.ts`,
);

const skip = engines.includes('postgres') ? without('pgbouncer', 'pg_dump') : 'PostgreSQL not found';

describe('a platform behind PgBouncer', { skip }, () => {
  test('loses nothing where a connection is lent for a transaction, and says what the pooler cannot do', async () => {
    await using place = await openPlace('postgres', 'empty');
    const direct = place.databaseUrl ?? '';
    await using pooler = await startPgBouncer(direct, 'transaction');
    assert.deepEqual(await lookForPooler(direct), { lends: false, keepsNames: true });
    // Debian 12 has 1.18; prepared statements in this mode came with 1.21.
    assert.deepEqual(await lookForPooler(pooler.url), { lends: true, keepsNames: false });
    await liveBehind(pooler.url, { SYMBOLON_DATABASE_DIRECT_URL: direct }, async (servers) => {
      const [first, second] = servers;
      for (const { lines } of servers) {
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
    await liveBehind(pooler.url, {}, async (servers) => {
      for (const { lines } of servers)
        assert.deepEqual(
          lines.filter((line) => line.includes('pooler')),
          [],
        );
      const backup = await servers[0].call('POST', '/api/admin/backup', { token: OPERATOR });
      assert.equal(backup.status, 200);
    });
  });

  test('goes on without names, and says so once, when a pooler stops to follow them', async () => {
    await using place = await openPlace('postgres');
    await using pooler = await startPgBouncer(place.databaseUrl ?? '', 'transaction');
    let told = 0;
    // As after a start with another pooler: nobody looked at this one.
    const naming = { isOn: true, lost: () => void told++ };
    const databases = [1, 2].map(() => openPostgres(pooler.url, { naming, directUrl: place.databaseUrl }));
    try {
      const work = databases.flatMap((database) =>
        Array.from({ length: 20 }, async (_, number) => {
          const code = `CODE${number}`;
          const row = { code, kind: 'person', subject_id: 'p' } as const;
          await database.write(async (writer) => {
            await sql`select ${number}::int`.execute(writer);
            await writer
              .insertInto('share_codes')
              .values(row)
              .onConflict((known) => known.doNothing())
              .execute();
          });
          const found = await database.reader
            .selectFrom('share_codes')
            .select('code')
            .where('code', '=', code)
            .execute();
          assert.deepEqual(found, [{ code }]);
        }),
      );
      await Promise.all(work);
      assert.deepEqual([naming.isOn, told], [false, 1]);
    } finally {
      await Promise.all(databases.map((database) => database.stop()));
    }
  });

  test('passes the tests of its domains', { skip: !isAtLength && 'with --all' }, async () => {
    const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
    const suite = environment.SYMBOLON_TEST_DATABASE_URL ?? '';
    await using pooler = await startPgBouncer(suite, 'transaction');
    const ran = spawnSync(process.execPath, ['--test', '--test-reporter=dot', ...DOMAINS], {
      env: {
        ...environment,
        [POOLER_VARIABLE]: pooler.url,
        [ENGINES_VARIABLE]: 'postgres',
      },
      encoding: 'utf8',
    });
    assert.equal(ran.status, 0, ran.stdout);
  });
});

/** The schema is made, people live, and all that they did has arrived. */
async function liveBehind(
  databaseUrl: string,
  environment: Readonly<Record<string, string>>,
  afterwards: (servers: Servers) => Promise<void>,
): Promise<void> {
  const random = new Random(SEED);
  const world = await World.create({
    random,
    processes: 3,
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
    await afterwards(world.servers as unknown as Servers);
  } catch (cause) {
    const failures = world.servers.flatMap(({ lines }) => lines.filter((line) => /"level":[56]0/.test(line)));
    throw new Error(failures.join('\n'), { cause });
  } finally {
    await world.end();
  }
}
