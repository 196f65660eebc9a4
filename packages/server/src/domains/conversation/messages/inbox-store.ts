import type { InboxState } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { rowBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { inOrderMost } from '../../../db/in-order.ts';
import { unindexed } from '../../../db/unindexed.ts';
import type { ServiceRef } from '../standing/service.ts';
import type { MessageRow } from './tables.ts';

/** Which threads of a service. */
export interface Wanted extends ServiceRef {
  readonly state: InboxState;
  /** Those of one login. */
  readonly assignedTo?: string | undefined;
}

/** A thread with its customer, its newest message, and who looks after it. */
export interface ListedInbox {
  readonly connection_id: string;
  readonly customer_type: 'person' | 'company';
  readonly person_name: string | null;
  readonly company_name: string | null;
  readonly last_id: string;
  readonly last_at: number;
  readonly last_sender: MessageRow['sender'];
  readonly is_open: number;
  readonly unread: number | null;
  readonly login_id: string | null;
  readonly login_name: string | null;
}

function wanted(reader: Reader, { serviceId, state, assignedTo }: Wanted) {
  const rows = reader
    .selectFrom('message_threads as thread')
    .where('thread.is_open', '=', state === 'open' ? 1 : 0);
  return assignedTo === undefined
    ? rows.where('thread.service_id', '=', serviceId)
    : rows.where('thread.assigned_to', '=', assignedTo).where(unindexed('thread.service_id'), '=', serviceId);
}

/** Threads of a service, the one that was written in last first. */
export function inboxOf(
  reader: Reader,
  of: Wanted,
  { before, most }: { before: string | undefined; most: number },
): Promise<ListedInbox[]> {
  const page = before ? wanted(reader, of).where('thread.last_id', '<', before) : wanted(reader, of);
  return listed(page).orderBy('thread.last_id', 'desc').limit(inOrderMost(most)).execute();
}

/** One thread; undefined where nothing was written yet. */
export async function inboxThread(
  reader: Reader,
  companyId: string,
  connectionId: string,
): Promise<ListedInbox | undefined> {
  const row = reader
    .selectFrom('message_threads as thread')
    .where('thread.company_id', '=', companyId)
    .where('thread.connection_id', '=', connectionId);
  return listed(row).executeTakeFirst();
}

/** How many there are, and no more than are counted. */
export async function countInbox(reader: Reader, of: Wanted): Promise<number> {
  const rows = wanted(reader, of).select('thread.connection_id').limit(inOrderMost(limits.inboxCountMost));
  return (await rows.execute()).length;
}

/** The role of a login of the company; none where it has no such login. */
export async function roleOf(reader: Reader, companyId: string, id: string) {
  return (await rowBy(reader, 'portal_logins', { company_id: companyId, id }, ['role']))?.role;
}

/** Nobody looks after the threads of a login any more. */
export async function unassignAll(writer: Writer, companyId: string, loginId: string): Promise<void> {
  await writer
    .updateTable('message_threads')
    .set({ assigned_to: null })
    .where('assigned_to', '=', loginId)
    .where(unindexed('company_id'), '=', companyId)
    .execute();
}

const listed = (rows: ReturnType<typeof wanted>) =>
  rows
    .innerJoin('connections', 'connections.id', 'thread.connection_id')
    .innerJoin('messages as newest', (join) =>
      join
        .onRef('newest.company_id', '=', 'thread.company_id')
        .onRef('newest.connection_id', '=', 'thread.connection_id')
        .onRef('newest.id', '=', 'thread.last_id'),
    )
    .leftJoin('persons', 'persons.id', 'connections.customer_id')
    .leftJoin('companies', 'companies.id', 'connections.customer_id')
    .leftJoin('portal_logins as login', (join) =>
      join.onRef('login.company_id', '=', 'thread.company_id').onRef('login.id', '=', 'thread.assigned_to'),
    )
    .select((eb) => [
      'thread.connection_id',
      'connections.customer_type',
      'persons.display_name as person_name',
      'companies.name as company_name',
      'thread.last_id',
      'newest.created_at as last_at',
      'newest.sender as last_sender',
      'thread.is_open',
      eb
        .selectFrom('messages')
        .select((of) => of.fn.countAll<number>().as('count'))
        .whereRef('messages.company_id', '=', 'thread.company_id')
        .whereRef('messages.connection_id', '=', 'thread.connection_id')
        .where('messages.sender', '=', 'customer')
        .where('messages.read_at', 'is', null)
        .as('unread'),
      'login.id as login_id',
      'login.name as login_name',
    ]);
