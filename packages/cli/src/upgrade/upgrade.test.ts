import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statfsSync, truncateSync } from 'node:fs';
import { describe, test } from 'node:test';
import { symbolon } from '@symbolon/testkit/cli/command';
import { engines } from '@symbolon/testkit/platform/engines';
import { openPlace, type Place } from '@symbolon/testkit/platform/places';
import { type RawBuilder, sql } from 'kysely';
import { databasePath } from '../../../server/src/db/database-path.ts';
import { knownMigrations } from '../../../server/src/db/migrations/index.ts';
import { openDatabase } from '../../../server/src/db/open.ts';
import { openPostgres } from '../../../server/src/db/postgres.ts';
import { openSqlite } from '../../../server/src/db/sqlite.ts';
import { BESIDE_OLDER } from '../../../server/src/db/upgrade.ts';

const LAST = knownMigrations().at(-1);

/** Changes a database that no process serves, and upgrades nothing in it. */
async function change({ databaseUrl, dataDir }: Place, statement: RawBuilder<unknown>): Promise<void> {
  const database = databaseUrl === undefined ? openSqlite(databasePath(dataDir)) : openPostgres(databaseUrl);
  await statement.execute(database.schema);
  await database.stop();
}

for (const engine of engines) {
  describe(`an upgrade (${engine})`, () => {
    test('is looked at without a change, made by one command, and then nothing is left to do', async () => {
      await using place = await openPlace(engine, 'empty');
      const { environment, dataDir } = place;
      const check = async () => {
        const { code, stdout, stderr } = await symbolon(['upgrade', 'check', '--json'], { env: environment });
        assert.equal(stderr, '');
        return { code, ...JSON.parse(stdout) };
      };
      const files = () =>
        readdirSync(dataDir).map((name) => [
          name,
          createHash('sha1')
            .update(readFileSync(`${dataDir}/${name}`))
            .digest('hex'),
        ]);
      const before = files();
      const none = await check();
      assert.deepEqual([none.code, none.verdict, none.written_by], [0, 'roll', null]);
      assert.deepEqual(files(), before, 'it makes no file');

      const made = await symbolon(['migrate', '--json'], { env: environment });
      assert.deepEqual([made.code, made.stderr], [0, '']);
      assert.ok(JSON.parse(made.stdout).ran.length > 0);
      const again = await symbolon(['migrate'], { env: environment });
      assert.match(again.stdout, /^The database is of version \S+ already\.\n$/);
      const migrated = files();
      const after = await check();
      assert.deepEqual(files(), migrated, 'it leaves no file');
      assert.deepEqual([after.code, after.verdict, after.pending], [0, 'roll', []]);
      assert.equal(after.written_by, JSON.parse(made.stdout).version);
    });

    test('that stops all processes wants a backup of the last day, or the word that another tool makes it', async () => {
      await using place = await openPlace(engine);
      const check = async (...options: string[]) => {
        const args = ['upgrade', 'check', '--json', ...options];
        const { code, stdout, stderr } = await symbolon(args, { env: place.environment });
        assert.equal(stderr, '');
        const { verdict, findings } = JSON.parse(stdout);
        return [code, verdict, findings.find(({ name }: { name: string }) => name === 'backup')];
      };
      // As version 0.1.0 left it: without the names of migrations that it could go on beside.
      await change(place, sql`delete from region_settings where name = ${BESIDE_OLDER}`);
      await change(place, sql`delete from kysely_migration where name = ${LAST}`);
      const detail = 'none was ever made: symbolon admin backup FILE, or --backup-elsewhere';
      assert.deepEqual(await check(), [1, 'refuse', { name: 'backup', ok: false, detail }]);
      const [code, verdict, elsewhere] = await check('--backup-elsewhere');
      assert.deepEqual([code, verdict, elsewhere.ok], [3, 'stop', true]);
      assert.match(elsewhere.detail, /^made elsewhere, as --backup-elsewhere says/);

      const backedUp = (hoursAgo: number) => {
        const at = String(Date.now() - hoursAgo * 3_600_000);
        return change(
          place,
          sql`insert into region_settings (name, value, updated_at) values ('backup.made_at', ${at}, 0)
            on conflict (name) do update set value = excluded.value`,
        );
      };
      await backedUp(25);
      const old = { name: 'backup', ok: false, detail: 'the newest is 25 h old: make one first' };
      assert.deepEqual(await check(), [1, 'refuse', old]);
      await backedUp(2);
      const fresh = { name: 'backup', ok: true, detail: 'the newest is 2 h old' };
      assert.deepEqual(await check(), [3, 'stop', fresh]);
    });

    test('is refused where it finds too little room, or too old an engine', async () => {
      await using place = await openPlace(engine);
      await change(place, sql`delete from kysely_migration where name = ${LAST}`);
      const args = ['upgrade', 'check', '--backup-elsewhere'];
      const check = async () => (await symbolon(args, { env: place.environment })).stdout;
      assert.doesNotMatch(await check(), /✗/);
      if (engine === 'sqlite') {
        const { bavail, bsize } = statfsSync(place.dataDir);
        // Without content a file takes no room, and its length counts.
        truncateSync(`${place.dataDir}/symbolon.db`, Math.min(bavail * bsize, 2 ** 43));
        assert.match(await check(), /✗ disk +\d+ MiB free for a database of \d+ MiB: free twice its size\n/);
      } else {
        // A name of ours before that of the server's own.
        const { pathname } = new URL(place.databaseUrl ?? '');
        await change(
          place,
          sql`create function public.current_setting(text) returns text language sql as $$ select '14.19' $$`,
        );
        await change(
          place,
          sql`alter database ${sql.id(pathname.slice(1))} set search_path = public, pg_catalog`,
        );
        assert.match(await check(), /✗ engine +PostgreSQL 14\.19: upgrade it to 15 or newer first\n/);
      }
      assert.equal((await symbolon(args, { env: place.environment })).code, 1);
    });

    test('is refused on a database of a newer version, and nothing in it is changed', async () => {
      await using place = await openPlace(engine);
      const database = await openDatabase(place);
      await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '2027')`.execute(
        database.schema,
      );
      await sql`update region_settings set value = '"9.1.0"' where name = 'platform.version'`.execute(
        database.schema,
      );
      await database.stop();
      const { environment: env } = place;
      const checked = await symbolon(['upgrade', 'check'], { env });
      assert.equal(checked.code, 1);
      assert.match(
        checked.stdout,
        /✗ path +written by version 9\.1\.0, and this is \S+, which cannot read it/,
      );
      assert.match(checked.stdout, /Do not start this version on it\.\n$/);
      const refused = await symbolon(['migrate'], { env });
      assert.equal(refused.code, 2);
      assert.match(refused.stderr, /^error: The database was written by version 9\.1\.0[^\n]+\n$/);
    });
  });
}
