import type { Inbox as InboxPage, InboxQuery, InboxState, InboxThread } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Writer } from '../../../db/database.ts';
import { newestPage } from '../../../db/page.ts';
import type { Core } from '../../domain.ts';
import type { LoginEndingHook } from '../../participation.ts';
import { checkService, type ServiceRef } from '../standing/service.ts';
import { countInbox, inboxOf, inboxThread, type ListedInbox, roleOf, unassignAll } from './inbox-store.ts';
import { changeThread, ownConnection } from './store.ts';
import type { MessageThreadRow } from './tables.ts';
import { lockThread } from './thread.ts';

const MISSING = 'company_data.connection_not_found';

/** The threads of a service, as its staff shares them out. */
export class Inbox implements LoginEndingHook {
  readonly #database: Core['database'];

  constructor({ database }: Pick<Core, 'database'>) {
    this.#database = database;
  }

  /**
   * A page, the thread that was written in last first.
   * @param loginId who asks
   * @throws {PlatformError} services.not_found
   */
  async page(
    service: ServiceRef,
    loginId: string,
    { state = 'open', assigned_to: assigned, before, limit = limits.pageDefault }: InboxQuery,
  ): Promise<InboxPage> {
    const { reader } = this.#database;
    await checkService(reader, service);
    const assignedTo = assigned === 'me' ? loginId : assigned;
    const [rows, open, mine] = await Promise.all([
      inboxOf(reader, { ...service, state, assignedTo }, { before, most: limit + 1 }),
      countInbox(reader, { ...service, state: 'open' }),
      countInbox(reader, { ...service, state: 'open', assignedTo: loginId }),
    ]);
    const { shown, next } = newestPage(rows, limit, (row) => row.last_id);
    return { threads: shown.map(toThread), next, open, mine };
  }

  /** @throws {PlatformError} company_data.connection_not_found, messages.thread_empty */
  async one(service: ServiceRef, connectionId: string): Promise<InboxThread> {
    const { reader } = this.#database;
    const connection = await ownConnection(reader, service, connectionId, MISSING);
    return found(await inboxThread(reader, service.companyId, connection.id));
  }

  /**
   * Says which login looks after a thread; null for none.
   * @throws {PlatformError} company_data.connection_not_found, messages.thread_empty, delegates.not_found, delegates.only_views
   */
  assign(service: ServiceRef, connectionId: string, loginId: string | null): Promise<InboxThread> {
    return this.#change(service, connectionId, { assigned_to: loginId }, async (writer) => {
      if (loginId === null) return;
      // The role does not change meanwhile: that takes the lock of the company, too.
      const role = await roleOf(writer, service.companyId, loginId);
      if (role === undefined) throw new PlatformError('delegates.not_found');
      if (role === 'viewer') throw new PlatformError('delegates.only_views');
    });
  }

  /** @throws {PlatformError} company_data.connection_not_found, messages.thread_empty */
  setState(service: ServiceRef, connectionId: string, state: InboxState): Promise<InboxThread> {
    return this.#change(service, connectionId, { is_open: state === 'open' ? 1 : 0 });
  }

  takeBack(writer: Writer, companyId: string, loginId: string): Promise<void> {
    return unassignAll(writer, companyId, loginId);
  }

  async #change(
    service: ServiceRef,
    connectionId: string,
    changes: Pick<MessageThreadRow, 'assigned_to'> | Pick<MessageThreadRow, 'is_open'>,
    check?: (writer: Writer) => Promise<void>,
  ): Promise<InboxThread> {
    const database = this.#database;
    const connection = await ownConnection(database.reader, service, connectionId, MISSING);
    return database.write(async (writer) => {
      await lockThread(database.engine, writer, connection, check && service.companyId);
      await check?.(writer);
      await changeThread(writer, connection, changes);
      return found(await inboxThread(writer, service.companyId, connectionId));
    });
  }
}

function found(row: ListedInbox | undefined): InboxThread {
  if (row === undefined) throw new PlatformError('messages.thread_empty');
  return toThread(row);
}

const toThread = (row: ListedInbox): InboxThread => ({
  connection_id: row.connection_id,
  display_name: row.person_name ?? row.company_name ?? '',
  customer_type: row.customer_type,
  last_at: isoTime(row.last_at),
  last_direction: row.last_sender === 'service' ? 'outbound' : 'inbound',
  unread: row.unread ?? 0,
  state: row.is_open === 1 ? 'open' : 'done',
  assigned_to: row.login_id === null ? null : { id: row.login_id, name: row.login_name ?? '' },
});
