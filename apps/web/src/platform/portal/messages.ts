import { sealValue, serializeWrapper } from '@symbolon/crypto';
import type {
  CompanyConnection,
  CompanyMessageList,
  MessagesRead,
  ReadMessagesRequest,
  SendMessageRequest,
  SentMessage,
  Service,
} from '@symbolon/protocol';
import type { DraftHolder } from '../drafts.ts';
import { PORTAL_DRAFTS } from '../forms.ts';
import type { Message } from '../messages.ts';
import { outdate, type Query } from '../queries.ts';
import { PAGE_SIZE, type Shown, withNewest } from '../thread.ts';
import { hasKey, openValues, publicKeyOf, requireCurrentKey } from './copies.ts';
import { portalCall } from './inner/api.ts';
import { keyOfCustomer } from './inner/people-keys.ts';
import { portalKeys } from './keys.ts';
import { whenSignedOutOfPortal } from './session.ts';

/** While a thread is open, it is looked at so often: no signal tells of messages. */
const WATCH_MS = 10_000;

/** The thread of a customer, once the key of the service is open. */
export const customerThread = (serviceId: string, connectionId: string): Query<Shown> => ({
  key: portalKeys.customerThread(serviceId, connectionId),
  read: async (before) => withNewest(before, await customerMessages(serviceId, connectionId), PAGE_SIZE),
  isFresh: true,
  everyMs: WATCH_MS,
});

/** Newest first. @param before only those that are older than this message */
export async function customerMessages(
  serviceId: string,
  connectionId: string,
  before?: string,
): Promise<Message[]> {
  const query = new URLSearchParams({ limit: String(PAGE_SIZE), ...(before !== undefined && { before }) });
  const { items } = await portalCall<CompanyMessageList>('GET', `${at(serviceId, connectionId)}?${query}`);
  const sealed = Object.fromEntries(items.map(({ message_id: id, body }) => [id, body]));
  const texts = await openValues(serviceId, sealed);
  return items.map(({ message_id: id, direction, created_at: createdAt, read_at: readAt }) => ({
    id,
    direction,
    text: texts[id] ?? null,
    broadcast: false,
    createdAt,
    readAt,
  }));
}

/**
 * Seals a text to the customer and to the open key of the service, and sends it.
 * @throws SymbolonError `page.former_service_key`; as `keyOfCustomer`
 */
export async function sendToCustomer(
  service: Service,
  { connection_id: connectionId, user_id: userId }: Pick<CompanyConnection, 'connection_id' | 'user_id'>,
  text: string,
): Promise<Message> {
  const ownKey = requireCurrentKey(service);
  const publicKey = await keyOfCustomer(connectionId, userId);
  const [body, own] = await Promise.all([sealValue(text, publicKey), sealValue(text, ownKey)]);
  const json: SendMessageRequest = { body: serializeWrapper(body), sender_body: serializeWrapper(own) };
  const sent = await portalCall<SentMessage>('POST', at(service.id, connectionId), json);
  await outdate(portalKeys.inbox(service.id));
  const { message_id: id, created_at: createdAt } = sent;
  return { id, direction: 'outbound', text, broadcast: false, createdAt, readAt: null };
}

/** Tells the customer that all up to a message was read. */
export async function markCustomerRead(
  serviceId: string,
  connectionId: string,
  messageId: string,
): Promise<MessagesRead> {
  const json: ReadMessagesRequest = { up_to_message_id: messageId };
  const read = await portalCall<MessagesRead>('POST', `${at(serviceId, connectionId)}/read`, json);
  await outdate(portalKeys.inbox(serviceId));
  return read;
}

const at = (serviceId: string, connectionId: string) =>
  `/api/services/${serviceId}/customers/${connectionId}/messages`;

/** What a login has begun to write to customers of a service, sealed to the open key of that service. */
export const customerDrafts = (serviceId: string, loginId: string): DraftHolder => ({
  place: `${PORTAL_DRAFTS}${loginId}.`,
  path: '/api/account/drafts/',
  call: portalCall,
  box: () =>
    hasKey(serviceId)
      ? {
          seal: async (text) => serializeWrapper(await sealValue(text, publicKeyOf(serviceId))),
          open: async (sealed) => (await openValues(serviceId, { sealed })).sealed ?? '[]',
        }
      : undefined,
});

/** What another page began to write to a customer, by connections: until the thread is open, the login signs out or the page is closed. */
const begun = new Map<string, string>();
whenSignedOutOfPortal(() => begun.clear());
export const beginMessage = (connectionId: string, text: string): void => void begun.set(connectionId, text);
export function takeBegun(connectionId: string): string | undefined {
  const text = begun.get(connectionId);
  begun.delete(connectionId);
  return text;
}
