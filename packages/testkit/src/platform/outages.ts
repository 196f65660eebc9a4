import { sql } from 'kysely';
import pg from 'pg';
import type { TestPlatform } from './platform.ts';

/**
 * Has the database of a platform take no writes, as with a disk that is read-only.
 * @returns what ends it
 */
export async function makeReadOnly({ engine, context }: TestPlatform): Promise<() => Promise<void>> {
  const { schema, reader } = context.database;
  if (engine === 'sqlite') {
    await sql`pragma query_only = on`.execute(schema);
    return async () => void (await sql`pragma query_only = off`.execute(schema));
  }
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
    reader as typeof schema,
  );
  const name = rows[0]?.name ?? '';
  const change = async (command: string) => {
    const client = new pg.Client({ connectionString: process.env.SYMBOLON_TEST_DATABASE_URL });
    await client.connect();
    try {
      await client.query(`alter database ${name} ${command}`);
      // A session keeps the setting with which it began.
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    } finally {
      await client.end();
    }
  };
  await change('set default_transaction_read_only = on');
  return () => change('reset default_transaction_read_only');
}

/** Has an embedded database find its disk full as soon as it grows. */
export async function fillDisk({ context }: TestPlatform): Promise<() => Promise<void>> {
  const { schema } = context.database;
  await sql`pragma max_page_count = 1`.execute(schema);
  return async () => void (await sql`pragma max_page_count = 4294967294`.execute(schema));
}
