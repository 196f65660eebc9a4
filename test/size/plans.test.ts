import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { engineOrAll } from '@symbolon/testkit/platform/engines';
import { startPlatform, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { sql } from 'kysely';
import pg from 'pg';
import { databasePath } from '../../packages/server/src/db/database-path.ts';
import { Capture, type Captured } from './support/capture.ts';
import { fill, LARGE } from './support/fill.ts';
import { live, setScene } from './support/life.ts';
import { problemOnPostgres, problemOnSqlite } from './support/plans.ts';

/*
 * What the platform asks the database, with many rows in each large table (a hundred thousand on PostgreSQL): no plan may read
 * a large table where the answer is small. SQLite is never analysed. PostgreSQL plans with statistics of a time when the tables
 * were nearly empty, with fresh ones, and without any.
 */

for (const engine of engineOrAll('sqlite')) {
  describe(`queries with many rows (${engine})`, () => {
    test('cost what they answer', async () => {
      using capture = new Capture();
      await using platform = await startPlatform(engine);
      const { schema } = platform.context.database;
      const run = (text: string) => sql.raw(text).execute(schema);
      const scene = await setScene(platform);
      if (engine === 'postgres') {
        const tables = await sql<{ name: string }>`
          select relname as name from pg_class
          where relkind = 'r' and relnamespace = current_schema()::regnamespace and relpersistence = 'p'
        `.execute(schema);
        for (const { name } of tables.rows) await run(`alter table ${name} set (autovacuum_enabled = false)`);
        await run('analyze');
      }
      await fill(platform, {
        companyId: scene.company.id,
        serviceId: scene.service.id,
        connectionId: scene.connectionId,
        personId: scene.person.id,
        webhookId: scene.webhookId,
      });
      // Filling holds this thread: connections that were silent meanwhile end now, and not with the next call.
      await setTimeout(100);
      capture.begin();
      const answered = await live(platform, scene);
      const statements = capture.end();
      const reached = [...answered.values()].filter((status) => status === 200).length;
      assert.ok(reached >= 60, `only ${reached} reading routes answered`);
      assert.ok(statements.length > 180, `only ${statements.length} statements`);
      const problems =
        engine === 'sqlite'
          ? sqliteProblems(platform, statements)
          : await postgresProblems(platform, scene.webhookId, statements);
      assert.deepEqual(problems, []);
    });
  });
}

function sqliteProblems({ dataDir }: TestPlatform, statements: readonly Captured[]): string[] {
  const database = new DatabaseSync(databasePath(dataDir), { readOnly: true });
  try {
    const bad = { text: 'select * from changes where event = ?', values: [] };
    assert.ok(problemOnSqlite(database, bad, LARGE), 'a scan is found');
    const sorted = { text: 'select id from persons where id > ? order by created_at limit 5', values: [] };
    assert.ok(problemOnSqlite(database, sorted, LARGE), 'sorting many rows is found');
    return statements.flatMap((statement) => problemOnSqlite(database, statement, LARGE) ?? []);
  } finally {
    database.close();
  }
}

async function postgresProblems(
  { context }: TestPlatform,
  webhookId: string,
  statements: readonly Captured[],
): Promise<string[]> {
  const url = context.config.databaseUrl ?? '';
  const problems: string[] = [];
  for (const statistics of ['of nearly empty tables', 'fresh', 'missing'] as const) {
    if (statistics === 'fresh') await sql`analyze`.execute(context.database.schema);
    if (statistics === 'missing') {
      const { schema } = context.database;
      await sql`delete from pg_statistic where starelid >= 16384`.execute(schema);
      await sql`update pg_class set reltuples = -1, relpages = 0 where oid >= 16384 and relkind in ('r', 'i')`.execute(
        schema,
      );
    }
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const bad = { text: 'select * from changes where event = $1', values: ['nothing'] };
      assert.ok(await problemOnPostgres(client, bad, LARGE), 'a scan is found');
      const filtered = {
        text: 'select * from webhook_events where webhook_id = $1 and event = $2 order by seq limit 1',
        values: [webhookId, 'nothing'],
      };
      assert.ok(await problemOnPostgres(client, filtered, LARGE), 'a walk that throws rows away is found');
      for (const statement of statements) {
        const problem = await problemOnPostgres(client, statement, LARGE);
        if (problem !== undefined) problems.push(`statistics ${statistics}: ${problem}`);
      }
    } finally {
      await client.end();
    }
  }
  return problems;
}
