import { type Insertable, type Selectable, sql } from 'kysely';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import type { RegionMessageTable } from './tables.ts';

export type WaitingMessage = Selectable<Pick<RegionMessageTable, 'seq' | 'kind' | 'subject' | 'body'>>;

/** Makes transactions that send in one lane commit in the order of `seq`, as `serialize` does for feeds. */
export async function lockLane(engine: Engine, writer: Writer, to: string, lane: number): Promise<void> {
  if (engine === 'sqlite') return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`region ${to} ${lane}`}, 0))`.execute(writer);
}

export async function insertMessage(writer: Writer, row: Insertable<RegionMessageTable>): Promise<void> {
  await writer.insertInto('region_messages').values(row).execute();
}

/** The first messages of a lane. */
export const waitingMessages = prepared<[to: string, lane: number, most: number], WaitingMessage>(
  (db, [to, lane, most]) =>
    db
      .selectFrom('region_messages')
      .select(['seq', 'kind', 'subject', 'body'])
      .where('to_region', '=', to)
      .where('lane', '=', lane)
      .orderBy('seq')
      .limit(most),
);

/** Deletes the messages that arrived. @returns how many */
export async function deleteArrived(
  writer: Writer,
  to: string,
  lane: number,
  through: number,
): Promise<number> {
  const result = await writer
    .deleteFrom('region_messages')
    .where('to_region', '=', to)
    .where('lane', '=', lane)
    .where('seq', '<=', through)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** How far a lane of another region was applied here. */
export async function markOf(reader: Reader, from: string, lane: number): Promise<number> {
  const row = await reader
    .selectFrom('region_marks')
    .select('seq')
    .where('from_region', '=', from)
    .where('lane', '=', lane)
    .executeTakeFirst();
  return row?.seq ?? 0;
}

/** Locks and reads the mark of a lane, so that of two requests with the same message the second sees what the first did. */
export async function lockMark(engine: Engine, writer: Writer, from: string, lane: number): Promise<number> {
  await writer
    .insertInto('region_marks')
    .values({ from_region: from, lane, seq: 0 })
    .onConflict((conflict) => conflict.columns(['from_region', 'lane']).doNothing())
    .execute();
  let query = writer
    .selectFrom('region_marks')
    .select('seq')
    .where('from_region', '=', from)
    .where('lane', '=', lane);
  if (engine === 'postgres') query = query.forUpdate();
  return (await query.executeTakeFirstOrThrow()).seq;
}

export async function setMark(writer: Writer, from: string, lane: number, seq: number): Promise<void> {
  await writer
    .updateTable('region_marks')
    .set({ seq })
    .where('from_region', '=', from)
    .where('lane', '=', lane)
    .execute();
}

/** Whether a message about a subject still waits to be sent. */
export async function isWaiting(reader: Reader, to: string, lane: number, subject: string): Promise<boolean> {
  const row = await reader
    .selectFrom('region_messages')
    .select('seq')
    .where('to_region', '=', to)
    .where('lane', '=', lane)
    .where('subject', '=', subject)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
