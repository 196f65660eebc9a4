import {
  AccountEvent,
  type CompanyMessage,
  limits,
  type SendMessageRequest,
  type SentMessage,
} from '@symbolon/protocol';
import { counted, type Limiter } from '../../../access/limit-store.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Outbox, AccountEvent as RaisedOnAccount } from '../../../events/outbox.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Core } from '../../domain.ts';
import { accountEvent } from '../../sharing/index.ts';
import type { ServiceRef } from '../standing/service.ts';
import type { MessagingStanding } from '../standing/standing.ts';
import { hasMessage, messagesIn, ownConnection, readMessages, type ThreadConnection } from './store.ts';
import type { MessageRow } from './tables.ts';
import { addMessage, lockThread, sealedBodies, sentMessage, timeOrNull } from './thread.ts';

const HOUR_S = 60 * 60;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'limitStore'> {
  readonly standing: MessagingStanding;
  readonly outbox: Outbox;
  readonly personSignals: PersonSignals;
}

/** A service's side of threads (wire 12.1). */
export class ServiceMessages {
  readonly #deps: Deps;
  readonly #inThread: Limiter;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#inThread = deps.limitStore.limiter({
      keyPrefix: 'service-messages',
      points: limits.serviceMessagesPerHour,
      duration: HOUR_S,
    });
  }

  /**
   * Sends a message to a customer. A company hears of it on its account feed.
   * @throws {PlatformError} messages.messaging_not_entitled, messages.messaging_suspended, messages.not_connected,
   *   messages.encryption_required, contact_data.value_too_large, messages.rate_limited
   */
  async send(service: ServiceRef, connectionId: string, request: SendMessageRequest): Promise<SentMessage> {
    const { clock, database, ids, outbox, standing } = this.#deps;
    await standing.mayMessage(database.reader, service.companyId);
    const found = await ownConnection(database.reader, service, connectionId, 'messages.not_connected');
    const bodies = sealedBodies(request);
    // One person is not flooded, however many calls the client has.
    await counted(this.#inThread.consume(connectionId), 'messages.rate_limited');
    const row = await database.write(async (writer) => {
      await lockThread(database.engine, writer, found);
      await standing.mayMessage(writer, service.companyId);
      const connection = await ownConnection(writer, service, connectionId, 'messages.not_connected');
      const added = await addMessage(writer, connection, { sender: 'service', bodies, ids, at: clock.now() });
      if (connection.customer_type === 'company')
        await outbox.raise(writer, [], [eventFor(connection, added)]);
      return added;
    });
    this.#tell(found, true);
    return sentMessage(row);
  }

  /** The copies for the service key, newest first. @throws {PlatformError} company_data.connection_not_found */
  async list(
    service: ServiceRef,
    connectionId: string,
    page: { before: string | undefined; limit: number },
  ): Promise<{ items: CompanyMessage[] }> {
    const { reader } = this.#deps.database;
    const connection = await ownConnection(
      reader,
      service,
      connectionId,
      'company_data.connection_not_found',
    );
    const { rows } = await messagesIn(reader, connection, 'service', page);
    return {
      items: rows.map((row) => ({
        message_id: row.id,
        direction: row.sender === 'service' ? 'outbound' : 'inbound',
        body: row.body,
        created_at: isoTime(row.created_at),
        read_at: timeOrNull(row.read_at),
      })),
    };
  }

  /**
   * Acknowledges what the customer sent, up to a message of the thread.
   * @throws {PlatformError} company_data.connection_not_found, company_data.ack_boundary_invalid
   */
  async read(service: ServiceRef, connectionId: string, upTo: string | undefined): Promise<{ read: number }> {
    const { clock, database } = this.#deps;
    const missing = 'company_data.connection_not_found';
    const connection = await ownConnection(database.reader, service, connectionId, missing);
    const read = await database.write(async (writer) => {
      await lockThread(database.engine, writer, connection);
      await ownConnection(writer, service, connectionId, missing);
      if (upTo === undefined || !(await hasMessage(writer, connection, upTo)))
        throw new PlatformError('company_data.ack_boundary_invalid');
      return readMessages(writer, connection, { sender: 'customer', upTo, at: clock.now() });
    });
    if (read > 0) this.#tell(connection, false);
    return { read };
  }

  #tell({ customer_id, customer_type, id, person_region }: ThreadConnection, push: boolean): void {
    if (customer_type === 'person')
      this.#deps.personSignals.tell(customer_id, { kind: 'message', id, push }, person_region);
  }
}

function eventFor(connection: ThreadConnection, row: MessageRow): RaisedOnAccount {
  const { company_code, service_id: id, service_code: share_code } = connection;
  const told = accountEvent(
    AccountEvent.messageReceived,
    { id, share_code, company_code },
    connection,
    connection.customer_code ?? '',
    { message_id: row.id, body: row.customer_body, created_at: isoTime(row.created_at) },
  );
  return { ...told, about: row.id };
}
