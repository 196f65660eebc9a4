import { limits } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import { updateBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { inOrderMost } from '../../../db/in-order.ts';
import { prepared, preparedInsert } from '../../../db/prepared.ts';
import { exists } from '../../../db/rows.ts';
import { unindexed } from '../../../db/unindexed.ts';
import type { ConnectionRow } from '../../sharing/index.ts';
import type { ServiceRef } from '../standing/service.ts';
import type { MessageRow, MessageThreadRow } from './tables.ts';

/** A connection, with what both sides of its thread know of each other. */
export interface ThreadConnection extends ConnectionRow {
  readonly service_code: string;
  readonly company_code: string;
  readonly person_key: string | null;
  /** Where the person is at home; null for this region. */
  readonly person_region: string | null;
  /** Of the company that is the customer. */
  readonly customer_code: string | null;
}

/** A connection is in the home region of its company; the connections of a deleted service are still being removed. */
const threads = (reader: Reader) =>
  reader
    .selectFrom('connections')
    .innerJoin('services', (join) =>
      join
        .on('services.company_id', '=', unindexed('connections.company_id'))
        .on('services.id', '=', unindexed('connections.service_id')),
    )
    .innerJoin('companies', (join) => join.on('companies.id', '=', unindexed('connections.company_id')))
    .where('companies.region', 'is', null);

const connection = prepared<[id: string], ThreadConnection>((db, [id]) =>
  threads(db)
    .leftJoin('persons', 'persons.id', 'connections.customer_id')
    .leftJoin('companies as customers', 'customers.id', 'connections.customer_id')
    .selectAll('connections')
    .select([
      'services.share_code as service_code',
      'companies.code as company_code',
      'persons.public_key as person_key',
      'persons.region as person_region',
      'customers.code as customer_code',
    ])
    .where('connections.id', '=', id),
);

export async function threadConnection(reader: Reader, id: string): Promise<ThreadConnection | undefined> {
  return (await connection(reader, id))[0];
}

/** The connection of a service's own customer. @throws {PlatformError} `missing` for one of another service, or none */
export async function ownConnection(
  reader: Reader,
  { companyId, serviceId }: ServiceRef,
  id: string,
  missing: 'messages.not_connected' | 'company_data.connection_not_found',
): Promise<ThreadConnection> {
  const found = await threadConnection(reader, id);
  if (found?.company_id !== companyId || found.service_id !== serviceId) throw new PlatformError(missing);
  return found;
}

type ThreadKey = Pick<ConnectionRow, 'company_id' | 'id'>;

/** The state of a thread; undefined before its first message. */
export const threadState = prepared<
  [companyId: string, connectionId: string],
  { last_id: string; message_count: number }
>((db, [companyId, connectionId]) =>
  db
    .selectFrom('message_threads')
    .select(['last_id', 'message_count'])
    .where('company_id', '=', companyId)
    .where('connection_id', '=', connectionId),
);

export const insertMessage = preparedInsert('messages', [
  'company_id',
  'connection_id',
  'id',
  'sender',
  'service_body',
  'customer_body',
  'created_at',
  'read_at',
]);

export const insertThread = preparedInsert('message_threads', [
  'company_id',
  'connection_id',
  'service_id',
  'last_id',
  'message_count',
  'assigned_to',
  'is_open',
]);

/** Changes nothing where there is none: a thread begins with its first message. */
export async function changeThread(
  writer: Writer,
  { company_id, id: connection_id }: ThreadKey,
  changes: Partial<Omit<MessageThreadRow, 'company_id' | 'connection_id' | 'service_id'>>,
): Promise<void> {
  await updateBy(writer, 'message_threads', { company_id, connection_id }, changes);
}

const inThread = (reader: Reader, { company_id, id }: ThreadKey) =>
  reader.selectFrom('messages').where('company_id', '=', company_id).where('connection_id', '=', id);

export async function deleteOldest(writer: Writer, { company_id, id }: ThreadKey): Promise<void> {
  const oldest = inThread(writer, { company_id, id }).select('id').orderBy('id').limit(1);
  await writer
    .deleteFrom('messages')
    .where('company_id', '=', company_id)
    .where('connection_id', '=', id)
    .where('id', '=', oldest)
    .execute();
}

/** A message as one side reads it. */
export interface ReadMessage extends Pick<MessageRow, 'id' | 'sender' | 'created_at' | 'read_at'> {
  readonly body: string;
}

/** Rows that one query reads: each may hold a wrapper as long as one may be. */
const ROWS_AT_ONCE = 25;

/**
 * The newest messages first, each with the copy of one side.
 * @returns `endedAt`: the last message, when the page ended early because it is large
 */
export async function messagesIn(
  reader: Reader,
  thread: ThreadKey,
  side: MessageRow['sender'],
  { before, limit }: { before: string | undefined; limit: number },
): Promise<{ rows: ReadMessage[]; endedAt: string | undefined }> {
  const rows: ReadMessage[] = [];
  for (let bytes = 0; rows.length < limit; ) {
    const last = rows.at(-1)?.id;
    if (bytes >= limits.pageBytesMost) return { rows, endedAt: last };
    const most = Math.min(limit - rows.length, ROWS_AT_ONCE);
    let query = inThread(reader, thread).select([
      'id',
      'sender',
      'created_at',
      'read_at',
      `${side}_body as body`,
    ]);
    const from = last ?? before;
    if (from) query = query.where('id', '<', from);
    const part = await query.orderBy('id', 'desc').limit(inOrderMost(most)).execute();
    rows.push(...part);
    if (part.length < most) break;
    bytes += part.reduce((sum, { body }) => sum + body.length, 0);
  }
  return { rows, endedAt: undefined };
}

export function hasMessage(reader: Reader, thread: ThreadKey, messageId: string): Promise<boolean> {
  return exists(inThread(reader, thread).select('id').where('id', '=', messageId));
}

/** Marks the messages of a sender up to an id as read. @returns how many were not */
export async function readMessages(
  writer: Writer,
  { company_id, id }: ThreadKey,
  { sender, upTo, at }: { sender: MessageRow['sender']; upTo: string; at: number },
): Promise<number> {
  const result = await writer
    .updateTable('messages')
    .set({ read_at: at })
    .where('company_id', '=', company_id)
    .where('connection_id', '=', id)
    .where('sender', '=', sender)
    .where('read_at', 'is', null)
    .where('id', '<=', upTo)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** A thread in the list of a person's threads. */
export interface ListedThread {
  readonly id: string;
  readonly company_id: string;
  readonly company_name: string;
  readonly company_code: string;
  readonly service_id: string;
  readonly service_name: string;
  readonly service_code: string;
  readonly message_at: number | null;
  readonly broadcast_at: number | null;
  readonly unread_messages: number | null;
  readonly unread_broadcasts: number | null;
}

/** The connections of a person, oldest first, with what stands in their threads. */
export function threadsOf(reader: Reader, personId: string, now: number): Promise<ListedThread[]> {
  return (
    threads(reader)
      .leftJoin('message_threads as thread', (join) =>
        join
          .onRef('thread.company_id', '=', 'connections.company_id')
          .onRef('thread.connection_id', '=', 'connections.id'),
      )
      .leftJoin('messages as newest', (join) =>
        join
          .onRef('newest.company_id', '=', 'connections.company_id')
          .onRef('newest.connection_id', '=', 'connections.id')
          .onRef('newest.id', '=', 'thread.last_id'),
      )
      .select((eb) => {
        const sent = eb
          .selectFrom('broadcasts')
          .whereRef('broadcasts.company_id', '=', 'connections.company_id')
          .whereRef('broadcasts.service_id', '=', 'connections.service_id')
          .whereRef('broadcasts.created_at', '>=', 'connections.connected_at')
          .where('broadcasts.expires_at', '>', now);
        return [
          'connections.id',
          'connections.company_id',
          'companies.name as company_name',
          'companies.code as company_code',
          'services.id as service_id',
          'services.name as service_name',
          'services.share_code as service_code',
          'newest.created_at as message_at',
          sent.select((of) => of.fn.max('broadcasts.created_at').as('at')).as('broadcast_at'),
          eb
            .selectFrom('messages')
            .select((of) => of.fn.countAll<number>().as('count'))
            .whereRef('messages.company_id', '=', 'connections.company_id')
            .whereRef('messages.connection_id', '=', 'connections.id')
            .where('messages.sender', '=', 'service')
            .where('messages.read_at', 'is', null)
            .as('unread_messages'),
          sent
            .select((of) => of.fn.countAll<number>().as('count'))
            .where((of) =>
              of.not(
                of.exists(
                  of
                    .selectFrom('broadcast_reads as seen')
                    .select('seen.read_at')
                    .whereRef('seen.company_id', '=', 'connections.company_id')
                    .whereRef('seen.connection_id', '=', 'connections.id')
                    .whereRef('seen.broadcast_id', '=', 'broadcasts.id'),
                ),
              ),
            )
            .as('unread_broadcasts'),
        ];
      })
      .where('connections.customer_id', '=', personId)
      // Said twice, PostgreSQL takes them for few, also when it has not analysed the table, and does not read all companies.
      .where(unindexed('connections.customer_id'), '=', personId)
      .orderBy('connections.id')
      .execute()
  );
}
