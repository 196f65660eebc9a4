import { type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from './tables.ts';

/** The bytes of a text column, which both engines know without reading the text; 0 for null. */
export const byteLength = (column: string) =>
  sql<number>`coalesce(octet_length(${sql.ref(column)}), 0)`.as('bytes');

/** The bytes of a text column in all rows of a query together. */
export async function sumOfBytes<From extends keyof Tables>(
  rows: SelectQueryBuilder<Tables, From, object>,
  column: string,
): Promise<number> {
  const summed = rows.select(sql<number>`coalesce(sum(octet_length(${sql.ref(column)})), 0)`.as('bytes'));
  const { bytes } = (await summed.executeTakeFirstOrThrow()) as { bytes: number };
  return Number(bytes);
}

/** How many of the first rows have no more than `most` bytes together; at least one, so that there is progress. */
export function fitting(rows: readonly { bytes: number }[], most: number): number {
  let sum = 0;
  for (const [index, { bytes }] of rows.entries()) {
    sum += Number(bytes);
    if (sum > most) return Math.max(index, 1);
  }
  return Math.max(rows.length, 1);
}
