import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inList, listParameter } from '../../../db/lists.ts';
import { prepared } from '../../../db/prepared.ts';
import type { Flag } from '../../../db/tables.ts';
import type { ChangeTable } from '../../../events/tables.ts';

/** A row of the feed with what its slot holds now; `slot` is null when it holds nothing or the event is about none. */
export interface PendingChange
  extends Omit<
    ChangeTable,
    'seq' | 'feed' | 'collapse_key' | 'claim_owner' | 'claimed_until' | 'company_id'
  > {
  seq: number;
  slot: string | null;
  live: Flag | null;
  value: string | null;
  verification: string | null;
}

const COLUMNS = [
  'id',
  'service_id',
  'connection_id',
  'customer_id',
  'customer_type',
  'share_code',
  'event',
  'request_field_id',
  'slug',
  'payload',
  'at',
] as const;
const OF_CHANGES = COLUMNS.map((column) => `changes.${column}` as const);
const OF_SLOT = [
  'slot_values.connection_id as slot',
  'slot_values.live',
  'slot_values.value',
  'slot_values.verification',
] as const;
/** Only field events tell a value (wire 6.1). */
const WITH_VALUE = ['field_updated', 'field_deleted'];

/** The oldest rows of a feed that are not among those `claimed`. */
const pendingQuery = prepared<[feed: string, claimed: string, most: number], PendingChange>(
  (db, [feed, claimed, most]) =>
    db
      .selectFrom('changes')
      .leftJoin('slot_values', (join) =>
        join
          .onRef('slot_values.company_id', '=', 'changes.company_id')
          .onRef('slot_values.connection_id', '=', 'changes.connection_id')
          .onRef('slot_values.request_field_id', '=', 'changes.request_field_id')
          .on('changes.event', 'in', WITH_VALUE),
      )
      .select(['changes.seq', ...OF_CHANGES, ...OF_SLOT])
      .where('changes.feed', '=', feed)
      .where((eb) => eb.not(inList('sqlite', 'changes.seq', claimed, 'bigint')))
      .orderBy('changes.seq')
      .limit(most),
);

/** SQLite: claims are held by the only process. */
export function pendingChanges(
  reader: Reader,
  feed: string,
  claimed: readonly number[],
  most: number,
): Promise<PendingChange[]> {
  return pendingQuery(reader, feed, listParameter('sqlite', claimed), most);
}

/**
 * PostgreSQL: marks the oldest free rows as `owner`'s and reads them, in one statement. Rows that another transaction is
 * about to claim or to replace are passed over.
 */
export const claimChanges = prepared<
  [feed: string, now: number, owner: string, until: number, most: number],
  PendingChange
>((db, [feed, now, owner, until, most]) =>
  db
    // Materialised: a plan that ran it twice would claim twice.
    .with(
      (cte) => cte('free').materialized(),
      (query) =>
        query
          .selectFrom('changes')
          .select('seq')
          .where('feed', '=', feed)
          .where((eb) => eb.or([eb('claimed_until', 'is', null), eb('claimed_until', '<=', now)]))
          .orderBy('seq')
          .limit(most)
          .forUpdate()
          .skipLocked(),
    )
    .with('taken', (query) =>
      query
        .updateTable('changes')
        .set({ claim_owner: owner, claimed_until: until })
        .from('free')
        .whereRef('changes.seq', '=', 'free.seq')
        .returning(['changes.seq', 'changes.company_id', ...OF_CHANGES]),
    )
    .selectFrom('taken')
    .leftJoin('slot_values', (join) =>
      join
        .onRef('slot_values.company_id', '=', 'taken.company_id')
        .onRef('slot_values.connection_id', '=', 'taken.connection_id')
        .onRef('slot_values.request_field_id', '=', 'taken.request_field_id')
        .on('taken.event', 'in', WITH_VALUE),
    )
    .select(['taken.seq', ...COLUMNS.map((column) => `taken.${column}` as const), ...OF_SLOT])
    .orderBy('taken.seq'),
);

export async function deleteChanges(engine: Engine, writer: Writer, seqs: readonly number[]): Promise<void> {
  const list = listParameter(engine, seqs);
  await writer
    .deleteFrom('changes')
    .where(inList(engine, 'seq', list, 'bigint'))
    .execute();
}

/** PostgreSQL: moves the end of claims; null gives the rows back. */
export async function extendClaims(
  writer: Writer,
  owner: string,
  seqs: readonly number[],
  until: number | null,
): Promise<void> {
  await writer
    .updateTable('changes')
    .set({ claimed_until: until, ...(until === null ? { claim_owner: null } : {}) })
    .where(inList('postgres', 'seq', listParameter('postgres', seqs), 'bigint'))
    .where('claim_owner', '=', owner)
    .execute();
}

/** PostgreSQL: gives back whatever an instance held. */
export async function releaseClaimsOf(writer: Writer, owner: string): Promise<void> {
  await writer
    .updateTable('changes')
    .set({ claim_owner: null, claimed_until: null })
    .where('claim_owner', '=', owner)
    .execute();
}

/** PostgreSQL: whether some row of the feeds is claimed by a living instance. */
export async function anyClaimed(reader: Reader, feeds: readonly string[], now: number): Promise<boolean> {
  const row = await reader
    .selectFrom('changes')
    .select('seq')
    .where(inList('postgres', 'feed', listParameter('postgres', feeds)))
    .where('claimed_until', '>', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The oldest rows from before a moment. On PostgreSQL rows that another instance is purging are passed over. */
export async function changesBefore(engine: Engine, writer: Writer, before: number, most: number) {
  const query = writer
    .selectFrom('changes')
    .select(['seq', 'feed', 'company_id', 'service_id', 'at'])
    .where('at', '<', before)
    .orderBy('at')
    .limit(most);
  return (engine === 'sqlite' ? query : query.forUpdate().skipLocked()).execute();
}
