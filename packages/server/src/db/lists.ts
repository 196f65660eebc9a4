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
