import { type Insertable, type Selectable, sql } from 'kysely';
import { rowBy, updateBy } from '../../../db/by-key.ts';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { prepared } from '../../../db/prepared.ts';
import type { RegionLaneRow, RegionMessageTable } from './tables.ts';

export type WaitingMessage = Selectable<Pick<RegionMessageTable, 'seq' | 'kind' | 'subject' | 'body'>>;

/** Makes transactions that send in one lane commit in the order of `seq`, as `serialize` does for feeds. */
export async function lockLane(engine: Engine, writer: Writer, to: string, lane: number): Promise<void> {
  if (engine === 'sqlite') return;
  await sql`select pg_advisory_xact_lock(hashtextextended(${`region ${to} ${lane}`}, 0))`.execute(writer);
}

export async function insertMessage(writer: Writer, row: Insertable<RegionMessageTable>): Promise<void> {
  await writer.insertInto('region_messages').values(row).execute();
}

type LaneState = Pick<RegionLaneRow, 'arrived' | 'deleted'>;

/** How far a lane to another region has come; undefined before its first message arrived. */
export async function laneTo(reader: Reader, to: string, lane: number): Promise<LaneState | undefined> {
  return rowBy(reader, 'region_lanes', { to_region: to, lane }, ['arrived', 'deleted']);
}

/** The number of the last message of a lane that arrived; 0 before the first. */
export async function arrivedIn(reader: Reader, to: string, lane: number): Promise<number> {
  return (await laneTo(reader, to, lane))?.arrived ?? 0;
}

/** The messages of a lane that follow one: behind the last that arrived, those that wait. */
const behind = (reader: Reader, to: string, lane: number, after: number) =>
  reader
    .selectFrom('region_messages')
    .where('to_region', '=', to)
    .where('lane', '=', lane)
    .where('seq', '>', after);

/** The first messages of a lane that wait: those behind the last one that arrived. */
export const messagesAfter = prepared<
  [to: string, lane: number, after: number, most: number],
  WaitingMessage
>((db, [to, lane, after, most]) =>
  behind(db, to, lane, after).select(['seq', 'kind', 'subject', 'body']).orderBy('seq').limit(most),
);

/** A message that is the first in its lane. */
export type HeadOfLane = Selectable<RegionMessageTable>;

export async function headOf(reader: Reader, to: string, lane: number): Promise<HeadOfLane | undefined> {
  const arrived = await arrivedIn(reader, to, lane);
  return behind(reader, to, lane, arrived).selectAll().orderBy('seq').limit(1).executeTakeFirst();
}

/** Where a message is, whether it has arrived or not. */
export async function laneOfMessage(
  reader: Reader,
  seq: number,
): Promise<{ to_region: string; lane: number } | undefined> {
  return rowBy(reader, 'region_messages', { seq }, ['to_region', 'lane']);
}

/** Takes from a message what it says. */
export async function emptyMessage(writer: Writer, seq: number, kind: string): Promise<void> {
  await updateBy(writer, 'region_messages', { seq }, { kind, body: '{}' });
}

/** Messages of a lane are counted up to here: one more than ten thousand stands for all that are beyond. */
export const COUNTED_MOST = 10_001;

/** How many messages of a lane wait, as far as they are counted, and since when the first of them does. */
export async function waitingIn(
  reader: Reader,
  to: string,
  lane: number,
  most: number,
): Promise<{ messages: number; since: number | null }> {
  const arrived = await arrivedIn(reader, to, lane);
  const first = behind(reader, to, lane, arrived).select('at').orderBy('seq').limit(most);
  const row = await reader
    .selectFrom(first.as('first'))
    .select((eb) => [eb.fn.countAll<number>().as('messages'), eb.fn.min('first.at').as('since')])
    .executeTakeFirst();
  return { messages: Number(row?.messages ?? 0), since: row?.since == null ? null : Number(row.since) };
}

/** Notes that the messages of a lane have arrived. @param first the first that was sent; those before it are not kept if the lane is new */
export async function markArrived(
  writer: Writer,
  to: string,
  lane: number,
  { first, through }: { first: number; through: number },
): Promise<void> {
  await writer
    .insertInto('region_lanes')
    .values({ to_region: to, lane, arrived: through, deleted: first - 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['to_region', 'lane'])
        .doUpdateSet({ arrived: through })
        .where('region_lanes.arrived', '<', through),
    )
    .execute();
}

/** Makes the messages behind one wait again. */
export async function rewindLane(writer: Writer, to: string, lane: number, through: number): Promise<void> {
  await updateBy(writer, 'region_lanes', { to_region: to, lane }, { arrived: through });
}

/** Deletes messages that arrived and are older than a time. @returns whether there may be more */
export async function deleteArrived(
  writer: Writer,
  { to_region: to, lane }: Pick<RegionLaneRow, 'to_region' | 'lane'>,
  { before, most }: { before: number; most: number },
): Promise<boolean> {
  const arrived = await arrivedIn(writer, to, lane);
  const rows = await writer
    .selectFrom('region_messages')
    .select(['seq', 'at'])
    .where('to_region', '=', to)
    .where('lane', '=', lane)
    .where('seq', '<=', arrived)
    .orderBy('seq')
    .limit(most)
    .execute();
  const young = rows.findIndex(({ at }) => at >= before);
  const last = rows.at(young === -1 ? -1 : young - 1);
  if (last === undefined || young === 0) return false;
  await writer
    .deleteFrom('region_messages')
    .where('to_region', '=', to)
    .where('lane', '=', lane)
    .where('seq', '<=', last.seq)
    .execute();
  await updateBy(writer, 'region_lanes', { to_region: to, lane }, { deleted: last.seq });
  return young === -1 && rows.length === most;
}

/** The lanes in which something has arrived. */
export function lanesOf(reader: Reader): Promise<RegionLaneRow[]> {
  return reader.selectFrom('region_lanes').selectAll().orderBy('to_region').orderBy('lane').execute();
}

/** How far a lane of another region was applied here. */
export async function markOf(reader: Reader, from: string, lane: number): Promise<number> {
  const row = await rowBy(reader, 'region_marks', { from_region: from, lane }, ['seq']);
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
  await updateBy(writer, 'region_marks', { from_region: from, lane }, { seq });
}

/** Whether a message about a subject still waits to be sent. */
export async function isWaiting(reader: Reader, to: string, lane: number, subject: string): Promise<boolean> {
  const arrived = await arrivedIn(reader, to, lane);
  const row = await behind(reader, to, lane, arrived)
    .select('seq')
    .where('subject', '=', subject)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
