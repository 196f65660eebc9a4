import { sql } from 'kysely';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inOrderMost } from '../../../db/in-order.ts';
import { preparedInsert } from '../../../db/prepared.ts';
import { isBehind, type Series } from '../../../db/series.ts';
import { countOf } from '../../operations/index.ts';
import type { ConnectionRow } from '../../sharing/index.ts';
import type { BroadcastReadRow, BroadcastRow } from './tables.ts';

interface Ref {
  readonly companyId: string;
  readonly serviceId: string;
}

/** How many people are connected to a service, by counts that are kept; undefined when there is no such service. */
export async function countPeople(
  engine: Engine,
  reader: Reader,
  { companyId, serviceId }: Ref,
): Promise<number | undefined> {
  const row = await reader
    .selectFrom('services')
    .select('connection_count')
    .where('company_id', '=', companyId)
    .where('id', '=', serviceId)
    .executeTakeFirst();
  return row && row.connection_count - (await countOf(engine, reader, 'company_customers', serviceId));
}

export const insertBroadcast = preparedInsert('broadcasts', [
  'company_id',
  'service_id',
  'id',
  'body',
  'created_at',
  'expires_at',
]);

/** What a service sent to all, newest first, until it leaves the threads. */
export function sentBroadcasts(
  reader: Reader,
  { companyId, serviceId }: Ref,
  { before, most, now }: { before: string | undefined; most: number; now: number },
): Promise<Pick<BroadcastRow, 'id' | 'body' | 'created_at'>[]> {
  let rows = reader
    .selectFrom('broadcasts')
    .select(['id', 'body', 'created_at'])
    .where('company_id', '=', companyId)
    .where('service_id', '=', serviceId)
    .where('expires_at', '>', now);
  if (before) rows = rows.where('id', '<', before);
  return rows.orderBy('id', 'desc').limit(inOrderMost(most)).execute();
}

/** A connection whose devices are signalled. */
export interface Told {
  readonly id: string;
  readonly customer_id: string;
  readonly customer_type: 'person' | 'company';
  readonly connected_at: number;
  /** Where the person is at home; null for this region, and for companies. */
  readonly region: string | null;
}

/** The next connections of a service, oldest first. */
export function connectionsBehind(
  reader: Reader,
  { companyId, serviceId }: Ref,
  { after, most }: { after: string; most: number },
): Promise<Told[]> {
  const series: Series = {
    owner: [
      ['connections.company_id', companyId],
      ['connections.service_id', serviceId],
    ],
    order: 'connections.id',
  };
  return reader
    .selectFrom('connections')
    .leftJoin('persons', 'persons.id', 'connections.customer_id')
    .select([
      'connections.id',
      'connections.customer_id',
      'connections.customer_type',
      'connections.connected_at',
      'persons.region',
    ])
    .where(isBehind(series, after))
    .orderBy('connections.company_id')
    .orderBy('connections.service_id')
    .orderBy('connections.id')
    .limit(inOrderMost(most))
    .execute();
}

/** The thread of a person, as far as broadcasts stand in it. */
export type BroadcastThread = Pick<ConnectionRow, 'company_id' | 'service_id' | 'id' | 'connected_at'>;

export interface ListedBroadcast extends Pick<BroadcastRow, 'id' | 'body' | 'created_at'> {
  readonly read_at: BroadcastReadRow['read_at'] | null;
}

const inThread = (reader: Reader, { company_id, service_id, connected_at }: BroadcastThread) =>
  reader
    .selectFrom('broadcasts')
    .where('broadcasts.company_id', '=', company_id)
    .where('broadcasts.service_id', '=', service_id)
    .where('broadcasts.created_at', '>=', connected_at);

/** Newest first. */
export function broadcastsIn(
  reader: Reader,
  thread: BroadcastThread,
  { before, limit, now }: { before: string | undefined; limit: number; now: number },
): Promise<ListedBroadcast[]> {
  let rows = inThread(reader, thread)
    .leftJoin('broadcast_reads as seen', (join) =>
      join
        .onRef('seen.company_id', '=', 'broadcasts.company_id')
        .on('seen.connection_id', '=', thread.id)
        .onRef('seen.broadcast_id', '=', 'broadcasts.id'),
    )
    .select(['broadcasts.id', 'broadcasts.body', 'broadcasts.created_at', 'seen.read_at'])
    .where('broadcasts.expires_at', '>', now);
  if (before) rows = rows.where('broadcasts.id', '<', before);
  return rows.orderBy('broadcasts.id', 'desc').limit(inOrderMost(limit)).execute();
}

export async function isInThread(reader: Reader, thread: BroadcastThread, id: string): Promise<boolean> {
  const row = await inThread(reader, thread)
    .select('broadcasts.id')
    .where('broadcasts.id', '=', id)
    .executeTakeFirst();
  return row !== undefined;
}

/** Marks those up to an id as read. @returns how many were not */
export async function readBroadcasts(
  writer: Writer,
  thread: BroadcastThread,
  { upTo, at }: { upTo: string; at: number },
): Promise<number> {
  const unread = inThread(writer, thread)
    .select((eb) => [
      'broadcasts.company_id',
      eb.val(thread.id).as('connection_id'),
      'broadcasts.id as broadcast_id',
      sql<number>`cast(${at} as bigint)`.as('read_at'),
      'broadcasts.expires_at',
    ])
    .where('broadcasts.id', '<=', upTo);
  const result = await writer
    .insertInto('broadcast_reads')
    .columns(['company_id', 'connection_id', 'broadcast_id', 'read_at', 'expires_at'])
    .expression(unread)
    .onConflict((conflict) => conflict.columns(['company_id', 'connection_id', 'broadcast_id']).doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0n);
}
