import { sql } from 'kysely';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import type { RegionMessageTable } from './tables.ts';

type MessageRow = Omit<RegionMessageTable, 'seq'>;

/** A message as it waits. */
export interface WaitingMessage {
  readonly seq: number;
  readonly kind: string;
  readonly subject: string;
  readonly body: string;
}

/** Makes transactions that send in one lane commit in the order of the places they take, as `serialize` does for feeds. */
export async function lockLane(engine: Engine, writer: Writer, to: string, lane: number): Promise<void> {
  if (engine === 'sqlite') return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`region ${to} ${lane}`}, 0))`.execute(writer);
}

export async function insertMessage(writer: Writer, row: MessageRow): Promise<void> {
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

/** Deletes what has arrived; gives how many that were. */
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

export async function markOf(reader: Reader, from: string, lane: number): Promise<number> {
  const row = await reader
    .selectFrom('region_marks')
    .select('seq')
    .where('from_region', '=', from)
    .where('lane', '=', lane)
    .executeTakeFirst();
  return row?.seq ?? 0;
}

/** The mark of a lane, held until the end of the transaction: of two that take in one message, the second sees the first. */
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
