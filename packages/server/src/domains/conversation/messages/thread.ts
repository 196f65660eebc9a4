import { limits, type SendMessageRequest, type SentMessage } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type Ids, timeOfId } from '../../../core/ids.ts';
import { parseSealed } from '../../../core/sealed-value.ts';
import { type Engine, lock, type Writer } from '../../../db/database.ts';
import {
  changeThread,
  deleteOldest,
  insertMessage,
  insertThread,
  type ThreadConnection,
  threadState,
} from './store.ts';
import type { MessageRow } from './tables.ts';

/** Both copies of a message, as they are stored. */
export interface SealedBodies {
  readonly forRecipient: string;
  readonly forSender: string;
}

/** @throws {PlatformError} messages.encryption_required, contact_data.value_too_large */
export function sealedBodies({ body, sender_body }: SendMessageRequest): SealedBodies {
  try {
    return { forRecipient: parseSealed(body), forSender: parseSealed(sender_body) };
  } catch (error) {
    if (error instanceof PlatformError && error.key !== 'contact_data.value_too_large')
      throw new PlatformError('messages.encryption_required');
    throw error;
  }
}

/**
 * Locks a thread: it is not written to meanwhile, and its connection does not end. The events of a company that is the customer
 * are put in order by the lock of the service.
 * @param company another company whose lock is needed: those of two are taken at once
 */
export async function lockThread(
  engine: Engine,
  writer: Writer,
  { customer_id, customer_type, service_id, id }: ThreadConnection,
  company?: string,
): Promise<void> {
  const isCompany = customer_type === 'company';
  const companies = [isCompany ? customer_id : undefined, company].filter((each) => each !== undefined);
  await lock(engine, writer, 'companies', companies);
  if (isCompany) await lock(engine, writer, 'services', [service_id]);
  else await lock(engine, writer, 'persons', [customer_id]);
  await lock(engine, writer, 'connections', [id]);
}

/** Adds a message to a thread. The caller holds its lock. */
export async function addMessage(
  writer: Writer,
  connection: ThreadConnection,
  message: { sender: MessageRow['sender']; bodies: SealedBodies; ids: Ids; at: number },
): Promise<MessageRow> {
  const { sender, bodies, ids, at } = message;
  const [state] = await threadState(writer, connection.company_id, connection.id);
  const bySender = sender === 'service';
  const row: MessageRow = {
    company_id: connection.company_id,
    connection_id: connection.id,
    id: idBehind(ids.uuid(), state?.last_id),
    sender,
    service_body: bySender ? bodies.forSender : bodies.forRecipient,
    customer_body: bySender ? bodies.forRecipient : bodies.forSender,
    created_at: at,
    read_at: null,
  };
  await insertMessage(writer, row);
  const count = (state?.message_count ?? 0) + 1;
  const isFull = count > limits.threadMessagesMost;
  if (isFull) await deleteOldest(writer, connection);
  const changed = {
    last_id: row.id,
    message_count: isFull ? count - 1 : count,
    ...(!bySender && { is_open: 1 }),
  };
  const { company_id, id: connection_id, service_id } = connection;
  if (state !== undefined) await changeThread(writer, connection, changed);
  else
    await insertThread(writer, {
      ...{ company_id, connection_id, service_id, assigned_to: null, is_open: 0 },
      ...changed,
    });
  return row;
}

/** Characters of a UUIDv7 that are its time: 12 digits and a hyphen. */
const TIME_CHARACTERS = 13;

/** An id that sorts behind another one. The clock of the process that made that one may be ahead. */
function idBehind(id: string, last: string | undefined): string {
  if (last === undefined || id > last) return id;
  const time = Number.parseInt(last.slice(0, TIME_CHARACTERS).replace('-', ''), 16) + 1;
  return timeOfId(time) + id.slice(TIME_CHARACTERS + 1);
}

export const sentMessage = (row: MessageRow): SentMessage => ({
  message_id: row.id,
  connection_id: row.connection_id,
  created_at: isoTime(row.created_at),
});

export const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
