import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { registerCompany } from '@symbolon/testkit/actors/actors';
import { createApp } from '@symbolon/testkit/actors/sign-ins';
import { engines } from '@symbolon/testkit/platform/engines';
import { startPlatform } from '@symbolon/testkit/platform/platform';
import { sql } from 'kysely';
import pg from 'pg';
import { databasePath } from '../../packages/server/src/db/database-path.ts';
import { Capture, type Captured } from './support/capture.ts';
import { problemOnPostgres, problemOnSqlite } from './support/plans.ts';

const DOUBLINGS = 14;

for (const engine of engines) {
  describe(`many sign-in apps (${engine})`, () => {
    test('whether one wants an algorithm is asked without reading them', async () => {
      using capture = new Capture();
      await using platform = await startPlatform(engine);
      const { database, signingKeys, config } = platform.context;
      await createApp(platform, await registerCompany(platform));
      const row = await database.reader.selectFrom('oauth_apps').selectAll().executeTakeFirstOrThrow();
      const columns = Object.keys(row);
      for (let n = 0; n < DOUBLINGS; n++) {
        const copied = columns.map((name) => (name === 'client_id' ? `client_id || '-${n}'` : name));
        await sql
          .raw(`insert into oauth_apps (${columns.join(', ')}) select ${copied.join(', ')} from oauth_apps`)
          .execute(database.schema);
      }
      if (engine === 'postgres') await sql`analyze oauth_apps`.execute(database.schema);
      capture.begin();
      await signingKeys.maintain(0);
      const asked = capture.end().filter(({ text }) => text.includes('"id_token_alg" ='));
      assert.ok(
        asked.some(({ values }) => values.includes('EdDSA')),
        'it is asked for the algorithm that no app wants',
      );
      for (const statement of asked) assert.equal(await problemOf(statement), undefined);

      async function problemOf(statement: Captured) {
        if (engine === 'sqlite') {
          using file = new DatabaseSync(databasePath(platform.dataDir), { readOnly: true });
          return problemOnSqlite(file, statement, ['oauth_apps']);
        }
        const client = new pg.Client({ connectionString: config.databaseUrl ?? '' });
        await client.connect();
        try {
          return await problemOnPostgres(client, statement, ['oauth_apps']);
        } finally {
          await client.end();
        }
      }
    });
  });
}
