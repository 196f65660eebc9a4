import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { databasePath } from '../../packages/server/src/db/database-path.ts';
import { sized } from './setting.ts';

/** SQL past the API, for rows in numbers that no API would take in time. */
export interface Sql extends AsyncDisposable {
  readonly engine: 'sqlite' | 'postgres';
  run(statement: string): Promise<void>;
  all<Row>(statement: string): Promise<Row[]>;
  /** A text in the form of an id, unique by `kind` and `number`; ids of one kind sort by their numbers. */
  id(kind: number, number: string): string;
  /** A table `i` with the numbers from 1 to `count` as `n`. */
  series(count: number): string;
  /** Bytes of the database. */
  size(): Promise<number>;
}

/** @param place data folder of an embedded database, or URL of PostgreSQL */
export async function openSql(engine: 'sqlite' | 'postgres', place: string): Promise<Sql> {
  return engine === 'sqlite' ? sqliteSql(place) : postgresSql(place);
}

/** Beside the platform in one process nothing would let go of what this waits for. */
const CHECKPOINT = `pragma wal_checkpoint(${sized('truncate', 'passive')})`;

const prefix = (kind: number) => `01900000-0000-7000-8${kind.toString(16).padStart(3, '0')}-`;

function sqliteSql(dataDir: string): Sql {
  const database = new DatabaseSync(databasePath(dataDir), { timeout: 60_000 });
  // What is seeded need not survive a power cut. The log is kept short, so that its checkpoint is not what is measured.
  database.exec('pragma synchronous = off; pragma cache_size = -262144; pragma wal_autocheckpoint = 20000');
  return {
    engine: 'sqlite',
    run: async (statement) => database.exec(statement),
    all: async <Row>(statement: string) => database.prepare(statement).all() as Row[],
    id: (kind, number) => `printf('${prefix(kind)}%012x', ${number})`,
    series: (count) =>
      `(with recursive s(n) as (select 1 union all select n + 1 from s where n < ${count}) select n from s) as i`,
    async size() {
      database.exec(CHECKPOINT);
      const [pages] = database.prepare('pragma page_count').all() as { page_count: number }[];
      const [size] = database.prepare('pragma page_size').all() as { page_size: number }[];
      return (pages?.page_count ?? 0) * (size?.page_size ?? 0);
    },
    async [Symbol.asyncDispose]() {
      database.exec(CHECKPOINT);
      database.close();
    },
  };
}

async function postgresSql(url: string): Promise<Sql> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "set synchronous_commit = off; set work_mem = '256MB'; set maintenance_work_mem = '512MB'",
  );
  return {
    engine: 'postgres',
    run: async (statement) => void (await client.query(statement)),
    all: async <Row>(statement: string) => (await client.query(statement)).rows as Row[],
    id: (kind, number) => `'${prefix(kind)}' || lpad(to_hex(${number}), 12, '0')`,
    series: (count) => `generate_series(1, ${count}) as i(n)`,
    async size() {
      const rows = await client.query('select pg_database_size(current_database()) as bytes');
      return Number(rows.rows[0].bytes);
    },
    async [Symbol.asyncDispose]() {
      await client.end();
    },
  };
}

/**
 * Copies rows of a table for each number of a series. Columns that are not named keep the value of the row that is copied,
 * so that a column which is added later needs no change here.
 *
 * @param where which rows of the table `t` are copied
 * @param set expressions by column; `i.n` is the number
 */
export async function copyRows(
  sql: Sql,
  table: string,
  options: { where: string; count: number; set: Readonly<Record<string, string>> },
): Promise<void> {
  const columns = (await columnsOf(sql, table)).filter((name) => name !== 'seq');
  const unknown = Object.keys(options.set).filter((name) => !columns.includes(name));
  if (unknown.length > 0) throw new Error(`${table} has no ${unknown.join(', ')}.`);
  const expressions = columns.map((name) => options.set[name] ?? `t.${name}`);
  await sql.run(
    `insert into ${table} (${columns.join(', ')}) select ${expressions.join(', ')}
     from ${sql.series(options.count)} cross join ${table} t where ${options.where}`,
  );
}

async function columnsOf(sql: Sql, table: string): Promise<string[]> {
  const rows =
    sql.engine === 'sqlite'
      ? await sql.all<{ name: string }>(`select name from pragma_table_info('${table}')`)
      : await sql.all<{ name: string }>(
          `select column_name as name from information_schema.columns where table_schema = 'public' and table_name = '${table}' order by ordinal_position`,
        );
  return rows.map((row) => row.name);
}
