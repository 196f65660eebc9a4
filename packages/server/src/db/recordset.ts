import { type RawBuilder, sql } from 'kysely';
import type { Engine, Reader, Writer } from './database.ts';
import { prepared } from './prepared.ts';

type Value = string | number | null;

/** How a column of a recordset is read. */
export type RecordColumns<Row> = { readonly [Column in keyof Row & string]: 'text' | 'bigint' };

/**
 * Rows as one parameter, to select from: one statement, whose text is the same however many rows there are, instead of one
 * for each. Beside their columns they have their place in the list as `place`.
 */
function recordList<Row extends { readonly [Column in keyof Row]: Value }>(
  engine: Engine,
  rows: readonly Row[],
  columns: RecordColumns<Row>,
): string {
  const names = Object.keys(columns) as (keyof Row & string)[];
  if (engine === 'sqlite') return JSON.stringify(rows.map((row) => names.map((column) => row[column])));
  return JSON.stringify(
    rows.map((row, place) => ({
      place,
      ...Object.fromEntries(names.map((column) => [column, row[column]])),
    })),
  );
}

/** A recordset of a parameter that `recordList` makes. */
function recordsIn<Row>(
  engine: Engine,
  name: string,
  list: string,
  columns: RecordColumns<Row>,
): RawBuilder<unknown> {
  const names = Object.keys(columns) as (keyof Row & string)[];
  if (engine === 'sqlite') {
    const parts = names.map((column, index) => sql`value ->> ${sql.lit(index)} as ${sql.ref(column)}`);
    return sql`(select key as place, ${sql.join(parts)} from json_each(${list})) as ${sql.table(name)}`;
  }
  const types = names.map((column) => sql`${sql.ref(column)} ${sql.raw(columns[column])}`);
  return sql`json_to_recordset(${list}::json) as ${sql.table(name)}(place bigint, ${sql.join(types)})`;
}

/** A recordset of one row, whose values are parameters. */
function recordOf<Row>(
  name: string,
  values: readonly Value[],
  columns: RecordColumns<Row>,
): RawBuilder<unknown> {
  const names = Object.keys(columns) as (keyof Row & string)[];
  const parts = names.map(
    (column, index) => sql`cast(${values[index]} as ${sql.raw(columns[column])}) as ${sql.ref(column)}`,
  );
  return sql`(select 0 as place, ${sql.join(parts)}) as ${sql.table(name)}`;
}

/**
 * A statement on a list of rows, compiled once for each engine: for the hottest paths. A list of one, which most are, goes
 * without JSON.
 */
export function onRows<Row extends { readonly [Column in keyof Row]: Value }, Result = unknown>(
  name: string,
  columns: RecordColumns<Row>,
  build: (rows: RawBuilder<unknown>) => RawBuilder<Result>,
): (engine: Engine, db: Reader | Writer, rows: readonly Row[]) => Promise<Result[]> {
  const compiling = (records: RawBuilder<unknown>, db: Writer) => ({
    compile: () => build(records).compile(db),
  });
  const on = (engine: Engine) =>
    prepared<[list: string], Result>((db, [list]) => compiling(recordsIn(engine, name, list, columns), db));
  const onMany = { sqlite: on('sqlite'), postgres: on('postgres') };
  const onOne = prepared<Value[], Result>((db, values) => compiling(recordOf(name, values, columns), db));
  const names = Object.keys(columns) as (keyof Row & string)[];
  return async (engine, db, rows) => {
    const [only, ...others] = rows;
    if (only === undefined) return [];
    return others.length === 0
      ? onOne(db, ...names.map((column) => only[column]))
      : onMany[engine](db, recordList(engine, rows, columns));
  };
}
