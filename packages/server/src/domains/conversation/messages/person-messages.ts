import {
  Event,
  limits,
  type MessageThread,
  type PersonMessage,
  type SendMessageRequest,
  type SentMessage,
} from '@symbolon/protocol';
import { counted, type Limiter } from '../../../access/limit-store.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Reader } from '../../../db/database.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Core } from '../../domain.ts';
import { eventSubject } from '../../sharing/index.ts';
import { broadcastsIn, isInThread, type ListedBroadcast, readBroadcasts } from '../broadcasts/store.ts';
import type { MessagingStanding } from '../standing/standing.ts';
import {
  hasMessage,
  type ListedThread,
  messagesIn,
  type ReadMessage,
  readMessages,
  type ThreadConnection,
  threadConnection,
  threadsOf,
} from './store.ts';
import { addMessage, lockThread, sealedBodies, sentMessage, timeOrNull } from './thread.ts';

const HOUR_S = 60 * 60;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'limitStore'> {
  readonly standing: MessagingStanding;
  readonly outbox: Outbox;
  readonly personSignals: PersonSignals;
}

/** A person's side of threads: messages of the two sides, and broadcasts between them (wire 12.1). */
export class PersonMessages {
  readonly #deps: Deps;
  readonly #toService: Limiter;
  readonly #toAll: Limiter;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#toService = deps.limitStore.limiter({
      keyPrefix: 'person-messages',
      points: limits.personMessagesPerMinute,
      duration: 60,
    });
    this.#toAll = deps.limitStore.limiter({
      keyPrefix: 'person-messages-all',
      points: limits.personMessagesPerHour,
      duration: HOUR_S,
    });
  }

  /**
   * Sends a message to the service of a connection, which hears of it by `message_received`.
   * @throws {PlatformError} connections.not_found, messages.messaging_not_entitled, messages.messaging_suspended,
   *   messages.encryption_required, contact_data.value_too_large, messages.rate_limited
   */
  async send(personId: string, connectionId: string, request: SendMessageRequest): Promise<SentMessage> {
    const { clock, database, ids, outbox, personSignals, standing } = this.#deps;
    const found = await this.#own(database.reader, personId, connectionId);
    await standing.mayMessage(database.reader, found.company_id);
    const bodies = sealedBodies(request);
    await counted(this.#toService.consume(connectionId), 'messages.rate_limited');
    await counted(this.#toAll.consume(personId), 'messages.rate_limited');
    const row = await database.write(async (writer) => {
      await lockThread(database.engine, writer, found);
      const connection = await this.#own(writer, personId, connectionId);
      await standing.mayMessage(writer, found.company_id);
      const added = await addMessage(writer, connection, {
        sender: 'customer',
        bodies,
        ids,
        at: clock.now(),
      });
      await outbox.raise(writer, [
        {
          ...(await eventSubject(writer, connection)),
          event: Event.messageReceived,
          payload: {
            message_id: added.id,
            person_public_key: connection.person_key,
            body: added.service_body,
            created_at: isoTime(added.created_at),
          },
        },
      ]);
      return added;
    });
    // The person's other devices show it too.
    personSignals.tell(personId, { kind: 'message', id: connectionId }, found.person_region);
    return sentMessage(row);
  }

  /** The copies for the person's key, and broadcasts, newest first. @throws {PlatformError} connections.not_found */
  async list(
    personId: string,
    connectionId: string,
    page: { before: string | undefined; limit: number },
  ): Promise<{ items: PersonMessage[] }> {
    const { clock, database } = this.#deps;
    const connection = await this.#own(database.reader, personId, connectionId);
    const { rows, endedAt = '' } = await messagesIn(database.reader, connection, 'customer', page);
    const broadcasts = await broadcastsIn(database.reader, connection, { ...page, now: clock.now() });
    // What is older than the end of the page comes with the next one.
    const shown = broadcasts.filter(({ id }) => id > endedAt);
    const items = [...rows.map(viewMessage), ...shown.map(viewBroadcast)];
    items.sort((a, b) => (a.message_id < b.message_id ? 1 : -1));
    return { items: items.slice(0, page.limit) };
  }

  /**
   * Marks what the service sent as read, up to a message or broadcast of the thread.
   * @throws {PlatformError} connections.not_found, company_data.ack_boundary_invalid
   */
  async read(personId: string, connectionId: string, upTo: string | undefined): Promise<{ read: number }> {
    const { clock, database, personSignals } = this.#deps;
    const connection = await this.#own(database.reader, personId, connectionId);
    const read = await database.write(async (writer) => {
      await lockThread(database.engine, writer, connection);
      await this.#own(writer, personId, connectionId);
      const isHere =
        upTo !== undefined &&
        ((await hasMessage(writer, connection, upTo)) || (await isInThread(writer, connection, upTo)));
      if (!isHere) throw new PlatformError('company_data.ack_boundary_invalid');
      const at = clock.now();
      const messages = await readMessages(writer, connection, { sender: 'service', upTo, at });
      const broadcasts = await readBroadcasts(writer, connection, { upTo, at });
      return messages + broadcasts;
    });
    if (read > 0)
      personSignals.tell(personId, { kind: 'message', id: connectionId }, connection.person_region);
    return { read };
  }

  /** The threads in which something stands. */
  async threads(personId: string): Promise<{ threads: MessageThread[] }> {
    const { clock, database } = this.#deps;
    const rows = await threadsOf(database.reader, personId, clock.now());
    return { threads: rows.map(viewThread).filter(({ last_at }) => last_at !== null) };
  }

  async #own(reader: Reader, personId: string, id: string): Promise<ThreadConnection> {
    const connection = await threadConnection(reader, id);
    if (connection?.customer_id !== personId) throw new PlatformError('connections.not_found');
    return connection;
  }
}

const viewMessage = (row: ReadMessage): PersonMessage => ({
  message_id: row.id,
  direction: row.sender === 'customer' ? 'outbound' : 'inbound',
  body: row.body,
  created_at: isoTime(row.created_at),
  read_at: timeOrNull(row.read_at),
  broadcast: false,
});

const viewBroadcast = (row: ListedBroadcast): PersonMessage => ({
  message_id: row.id,
  direction: 'inbound',
  body: row.body,
  created_at: isoTime(row.created_at),
  read_at: timeOrNull(row.read_at),
  broadcast: true,
});

function viewThread(row: ListedThread): MessageThread {
  const last = Math.max(row.message_at ?? 0, row.broadcast_at ?? 0);
  return {
    connection_id: row.id,
    company: { user_id: row.company_id, display_name: row.company_name, share_code: row.company_code },
    service: { id: row.service_id, name: row.service_name, share_code: row.service_code },
    last_at: last === 0 ? null : isoTime(last),
    unread: Number(row.unread_messages ?? 0) + Number(row.unread_broadcasts ?? 0),
  };
}
