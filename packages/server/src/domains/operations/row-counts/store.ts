import { sql } from 'kysely';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inList, listParameter } from '../../../db/lists.ts';
import { prepared } from '../../../db/prepared.ts';
import type { CountedTable } from './tables.ts';

const one = {
  sqlite: prepared<[kind: CountedTable, key: string], { n: number }>((db, [kind, key]) =>
    db.selectFrom('row_counts').select('n').where('kind', '=', kind).where('key', '=', key),
  ),
  // One statement: the worker that sums the differences up may do so at any time.
  postgres: prepared<[kind: CountedTable, key: string], { n: number }>((db, [kind, key]) => {
    const of = (table: 'row_counts' | 'row_count_changes') =>
      db.selectFrom(table).select('n').where('kind', '=', kind).where('key', '=', key);
    return db
      .selectFrom(of('row_counts').unionAll(of('row_count_changes')).as('counts'))
      .select(sql<number>`cast(coalesce(sum(n), 0) as bigint)`.as('n'));
  }),
};

/** How many rows of a table there are, of those with a key. */
export async function countOf(
  engine: Engine,
  reader: Reader,
  table: CountedTable,
  key = '',
): Promise<number> {
  const [row] = await one[engine](reader, table, key);
  return Number(row?.n ?? 0);
}

/** How many rows of a table there are by their keys; keys without rows may be missing. */
export async function countsByKey(
  engine: Engine,
  reader: Reader,
  table: CountedTable,
  keys?: readonly string[],
): Promise<Map<string, number>> {
  const of = (source: 'row_counts' | 'row_count_changes') => {
    const rows = reader.selectFrom(source).select(['key', 'n']).where('kind', '=', table);
    return keys === undefined ? rows : rows.where(inList(engine, 'key', listParameter(engine, keys)));
  };
  const own = of('row_counts');
  const counts = engine === 'sqlite' ? own : own.unionAll(of('row_count_changes'));
  const found = new Map<string, number>();
  for (const { key, n } of await counts.execute()) found.set(key, (found.get(key) ?? 0) + Number(n));
  return new Map([...found].filter(([, n]) => n > 0));
}

/** How many rows of a table there are, whatever their keys. */
export async function totalOf(engine: Engine, reader: Reader, table: CountedTable): Promise<number> {
  const of = (source: 'row_counts' | 'row_count_changes') =>
    reader.selectFrom(source).select('n').where('kind', '=', table);
  const own = of('row_counts');
  const row = await reader
    .selectFrom((engine === 'sqlite' ? own : own.unionAll(of('row_count_changes'))).as('counts'))
    .select((eb) => eb.fn.sum<number>('counts.n').as('n'))
    .executeTakeFirst();
  return Number(row?.n ?? 0);
}

/** PostgreSQL: adds some of the differences to the counts; gives how many. Processes take turns. */
export async function sumUp(writer: Writer, most: number): Promise<number> {
  const {
    rows: [lock],
  } = await sql<{ got: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended('row counts', 0)) as got
  `.execute(writer);
  if (lock?.got !== true) return 0;
  const { rows } = await sql<{ kind: CountedTable; key: string; n: number; taken: number }>`
    with taken as (
      delete from row_count_changes
      where ctid = any(array(select ctid from row_count_changes limit ${most}))
      returning kind, key, n
    ), sums as (
      select kind, key, cast(sum(n) as bigint) as n, count(*) as taken from taken group by kind, key
    ), kept as (
      insert into row_counts (kind, key, n) select kind, key, n from sums
      on conflict (kind, key) do update set n = row_counts.n + excluded.n
      returning kind, key, n
    )
    select kept.kind, kept.key, kept.n, sums.taken from kept join sums using (kind, key)
  `.execute(writer);
  const empty = rows.filter((row) => Number(row.n) === 0 && row.key !== '');
  for (const [kind, ofKind] of Map.groupBy(empty, (row) => row.kind)) {
    const keys = listParameter(
      'postgres',
      ofKind.map((row) => row.key),
    );
    await writer
      .deleteFrom('row_counts')
      .where('kind', '=', kind)
      .where(inList('postgres', 'key', keys))
      .execute();
  }
  return rows.reduce((total, row) => total + Number(row.taken), 0);
}
