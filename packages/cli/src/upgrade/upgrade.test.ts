import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { symbolon } from '@symbolon/testkit/cli/command';
import { engines } from '@symbolon/testkit/platform/engines';
import { openPlace } from '@symbolon/testkit/platform/places';
import { sql } from 'kysely';
import { openDatabase } from '../../../server/src/db/open.ts';

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
