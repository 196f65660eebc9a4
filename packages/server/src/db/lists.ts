import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Engine } from './database.ts';

/**
 * A list as one parameter: the text of a query, and with it the prepared statement, is the same however long the list
 * is.
 */
export function listParameter(engine: Engine, values: readonly (string | number)[]): string {
  return engine === 'sqlite' ? JSON.stringify(values) : `{${values.map(arrayElement).join(',')}}`;
}

function arrayElement(value: string | number): string {
  return typeof value === 'number' ? String(value) : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

/**
 * Whether a row is of an owner and has, in the next column of its key, one of a list made by `listParameter`. With an equal
 * sign for the owner PostgreSQL may read all rows of that owner and look for each in the list: it does not know how many they
 * are until it has analysed the table.
 */
export function inListOf(
  engine: Engine,
  owner: readonly [column: string, value: string],
  column: string,
  list: string,
): RawBuilder<SqlBool> {
  const [name, value] = owner;
  return engine === 'sqlite'
    ? sql<SqlBool>`${sql.ref(name)} = ${value} and ${inList(engine, column, list)}`
    : sql<SqlBool>`(${sql.ref(name)}, ${sql.ref(column)}) in (select ${value}::text, unnest(${list}::text[]))`;
}

/** Whether a column is in a list made by `listParameter`. */
export function inList(
  engine: Engine,
  column: string,
  list: string,
  type: 'text' | 'bigint' = 'text',
): RawBuilder<SqlBool> {
  return engine === 'sqlite'
    ? sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${list}))`
    : sql<SqlBool>`${sql.ref(column)} = any(${list}::${sql.raw(type)}[])`;
}
