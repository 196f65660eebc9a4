import type { DeleteResult, InsertResult, SelectQueryBuilder, UpdateResult } from 'kysely';
import type { Tables } from './tables.ts';

interface Query<Result> {
  executeTakeFirst(): Promise<Result>;
}

/** How many rows a query selects. */
export async function count<From extends keyof Tables>(
  rows: SelectQueryBuilder<Tables, From, object>,
): Promise<number> {
  const counted = rows.select((eb) => eb.fn.countAll<number>().as('total'));
  const { total } = (await counted.executeTakeFirstOrThrow()) as { total: number };
  return Number(total);
}

export async function exists(query: Query<object | undefined>): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined;
}

/** Whether an insert wrote a row: false when its `onConflict` did nothing. */
export async function isInserted(query: Query<InsertResult>): Promise<boolean> {
  return ((await query.executeTakeFirst()).numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function isUpdated(query: Query<UpdateResult>): Promise<boolean> {
  return (await query.executeTakeFirst()).numUpdatedRows > 0n;
}

export async function isDeleted(query: Query<DeleteResult>): Promise<boolean> {
  return (await query.executeTakeFirst()).numDeletedRows > 0n;
}
