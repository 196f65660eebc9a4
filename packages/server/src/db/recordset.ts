import { type RawBuilder, sql } from 'kysely';
import type { Engine, Writer } from './database.ts';
import { prepared } from './prepared.ts';

type Value = string | number | null;

/** How a column of a recordset is read. */
export type RecordColumns<Row> = { readonly [Column in keyof Row & string]: 'text' | 'bigint' };

/**
 * Rows as one parameter, to select from under `name`: one statement, whose text is the same however many rows there are,
 * instead of one for each. Beside their columns they have their place in the list as `place`.
 */
export function recordset<Row extends { readonly [Column in keyof Row]: Value }>(
  engine: Engine,
  name: string,
  rows: readonly Row[],
  columns: RecordColumns<Row>,
): RawBuilder<unknown> {
  return recordsIn(engine, name, recordList(engine, rows, columns), columns);
}

/** The parameter of a recordset. */
export function recordList<Row extends { readonly [Column in keyof Row]: Value }>(
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

/** A recordset of a parameter that `recordList` makes, for statements that are compiled once. */
export function recordsIn<Row>(
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

/** A statement on a list of rows, which `recordList` makes, compiled once for each engine: for the hottest paths. */
export function onRows<Row, Result = unknown>(
  name: string,
  columns: RecordColumns<Row>,
  build: (rows: RawBuilder<unknown>) => RawBuilder<Result>,
): Readonly<Record<Engine, (writer: Writer, list: string) => Promise<Result[]>>> {
  const on = (engine: Engine) =>
    prepared<[list: string], Result>((db, [list]) => {
      const statement = build(recordsIn(engine, name, list, columns));
      return { compile: () => statement.compile(db) };
    });
  return { sqlite: on('sqlite'), postgres: on('postgres') };
}
