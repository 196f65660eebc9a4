import pg from 'pg';
import { lookForPooler } from '../../../db/pooler.ts';
import { BackupError } from './format.ts';
import type { DatabaseCopy } from './make.ts';
import { type FindProgram, findProgram, runProgram } from './postgres-programs.ts';

/**
 * Has pg_dump write an archive into a new file. Rows are counted in the very snapshot that it copies.
 * @throws {BackupError} when pg_dump is not there or fails
 */
export async function copyPostgres(
  databaseUrl: string,
  target: string,
  find: FindProgram = findProgram,
): Promise<DatabaseCopy> {
  // pg_dump empties the search path of its connection, which a pooler would lend to others like that.
  if ((await lookForPooler(databaseUrl)).lends)
    throw new BackupError(
      'The pooler at DATABASE_URL lends connections for a transaction: set SYMBOLON_DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
    );
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin transaction isolation level repeatable read read only');
    const { rows } = await client.query(
      'select pg_export_snapshot() as snapshot, current_schema() as schema',
    );
    const { snapshot, schema } = rows[0] as { snapshot: string; schema: string };
    const args = ['--format=custom', '--no-owner', '--no-privileges', `--schema=${schema}`];
    await runProgram('pg_dump', databaseUrl, [...args, `--snapshot=${snapshot}`, `--file=${target}`], find);
    const tables = await countTables(client);
    const named = await client.query('select key, hash, size from blobs where refs > 0 order by key');
    const blobs = (named.rows as { key: string; hash: string; size: string }[]).map((row) => ({
      ...row,
      size: Number(row.size),
    }));
    return { tables, blobs };
  } finally {
    await client.end().catch(() => {});
  }
}

/** Rows of every table of the current schema. */
export async function countTables(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query(
    "select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE' order by table_name",
  );
  const tables: Record<string, number> = {};
  for (const { name } of rows as { name: string }[]) {
    const counted = await client.query(`select count(*) as count from ${pg.escapeIdentifier(name)}`);
    tables[name] = Number(counted.rows[0].count);
  }
  return tables;
}
