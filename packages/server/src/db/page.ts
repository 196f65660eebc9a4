import type { SelectQueryBuilder } from 'kysely';
import type { Tables } from './tables.ts';

export interface Paging {
  readonly limit: number;
  readonly offset: number;
}

/** One page of the rows of an ordered query, and how many rows it has in all. */
export async function pageOfRows<From extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, From, Row>,
  { limit, offset }: Paging,
): Promise<{ total: number; rows: Row[] }> {
  const counted = query.clearSelect().clearOrderBy();
  const { total } = await counted
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query.limit(limit).offset(offset).execute();
  return { total: Number(total), rows: rows as Row[] };
}
