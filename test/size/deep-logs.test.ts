import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { createService, dataToken, registerCompany } from '@symbolon/testkit/actors/actors';
import { engines } from '@symbolon/testkit/platform/engines';
import { startPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { sql } from 'kysely';
import pg from 'pg';
import { databasePath } from '../../packages/server/src/db/database-path.ts';
import { Capture, type Captured } from './support/capture.ts';
import { copyRows } from './support/fill.ts';
import { rowsReadOnPostgres, stepsOnSqlite } from './support/plans.ts';

/*
 * What a page of a log asks of the database, deep in 100,000 rows and at their beginning: the same statements, which read as many rows.
 */

const MANY = 100_000;
/** Copies are older than what the platform wrote. */
const idAt = (n: number) => `00000000-0000-7000-8000-${100_000_000_000 + n}`;

for (const engine of engines) {
  describe(`pages of logs with many rows (${engine})`, () => {
    test('a page deep in a log costs what the first one does', async () => {
      using capture = new Capture();
      await using platform = await startPlatform(engine);
      const company = await registerCompany(platform);
      const service = await createService(platform, company);
      const token = await dataToken(platform, service);
      for (const table of ['audit_log', 'service_logs'])
        await copyRows(
          platform,
          table,
          [`company_id = '${company.id}'`, { id: `'${idAt(0).slice(0, 24)}' || (100000000000 + i)` }],
          MANY,
        );
      if (engine === 'postgres') await sql`analyze`.execute(platform.context.database.schema);
      const asked = async (path: string, by: string) => {
        capture.statements.clear();
        capture.begin();
        const { items } = await platform.must('GET', path, { token: by });
        return { ids: items.map(({ id }: { id: string }) => id), statements: capture.end().filter(isOfCall) };
      };
      for (const [path, by] of [
        ['/api/company-data/logs', token],
        [`/api/services/${service.id}/logs`, company.token],
        ['/api/account/audit-log', company.token],
      ] as const) {
        // What is kept of callers is read once.
        await asked(path, by);
        const first = await asked(`${path}?limit=50&before=${idAt(MANY + 1)}`, by);
        const deep = await asked(`${path}?limit=50&before=${idAt(51)}`, by);
        const at = (from: number) => Array.from({ length: 50 }, (_, n) => idAt(from - n));
        assert.deepEqual([first.ids, deep.ids], [at(MANY), at(50)]);
        const costs = await costsOf(platform, deep.statements);
        assert.deepEqual(costs, await costsOf(platform, first.statements), path);
        const byOffset = await asked(`${path}?limit=50&offset=${MANY - 50}`, by);
        assert.notDeepEqual(await costsOf(platform, byOffset.statements), costs, 'an offset is told apart');
      }
    });
  });
}

/** A process on PostgreSQL reads the settings of its region once a second, whatever is asked of it meanwhile. */
const isOfCall = ({ text }: Captured): boolean => !text.endsWith('from "region_settings"');

/** Each statement with what it reads: on PostgreSQL how many rows, on SQLite by which steps, and how many rows it passes over. */
async function costsOf(platform: TestPlatform, statements: readonly Captured[]): Promise<unknown[]> {
  const { context, dataDir } = platform;
  if (context.database.engine === 'sqlite') {
    using database = new DatabaseSync(databasePath(dataDir), { readOnly: true });
    return statements.map(({ text, values }) => [
      text,
      stepsOnSqlite(database, text).map(({ detail }) => detail),
      /offset/.test(text) && values.filter((value) => typeof value === 'number'),
    ]);
  }
  const client = new pg.Client({ connectionString: context.config.databaseUrl ?? '' });
  await client.connect();
  try {
    const costs: unknown[] = [];
    for (const statement of statements)
      costs.push([statement.text, await rowsReadOnPostgres(client, statement)]);
    return costs;
  } finally {
    await client.end();
  }
}
