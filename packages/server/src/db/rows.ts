import {
  type DeleteResult,
  type InsertResult,
  type SelectQueryBuilder,
  sql,
  type UpdateResult,
} from 'kysely';
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

/** The time that so many rows have reached or passed, the latest of them included; undefined where there are fewer rows. */
export async function timeOfNth<From extends keyof Tables>(
  rows: SelectQueryBuilder<Tables, From, object>,
  column: 'created_at' | 'expires_at',
  nth: number,
): Promise<number | undefined> {
  const time = sql.ref<number>(column);
  const found = rows
    .select(time.as('time'))
    .orderBy(time, 'desc')
    .limit(1)
    .offset(nth - 1);
  return ((await found.executeTakeFirst()) as { time: number } | undefined)?.time;
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
