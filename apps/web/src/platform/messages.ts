import type { PersonConnection } from '@symbolon/protocol';
import { type PersonMessage, PersonMessages } from '@symbolon/sdk/device';
import { connection } from './connections.ts';
import { api } from './inner/api.ts';
import { withConfirmedKeys } from './known-keys.ts';
import { keys, type Query } from './queries.ts';
import type { SignedIn } from './session.ts';
import { PAGE_SIZE, type Shown, withNewest } from './thread.ts';

export type Message = PersonMessage;
export type Partner = Pick<PersonConnection, 'connection_id' | 'company' | 'service'>;

/** The newest messages, and the older ones that are shown already. */
export const threadQuery = (session: SignedIn, connectionId: string): Query<Shown> => ({
  key: keys.thread(connectionId),
  read: async (before) => withNewest(before, await page(session, connectionId), PAGE_SIZE),
  isFresh: true,
});

/** Newest first. @param before only those that are older than this message */
export function page(session: SignedIn, connectionId: string, before?: string): Promise<Message[]> {
  const options = { limit: PAGE_SIZE, ...(before !== undefined && { before }) };
  return withMessages(session, (messages) => messages.list(connectionId, options));
}

/** Seals the text to the service and to the person. @throws UnconfirmedKeyError `sdk.service_key_changed` */
export async function send(session: SignedIn, connectionId: string, text: string): Promise<Message> {
  const sent = await withMessages(session, (messages) => messages.send(connectionId, text));
  return { ...sent, direction: 'outbound', text, broadcast: false, readAt: null };
}

/** Tells the service that all up to a message was read. */
export function markRead(session: SignedIn, connectionId: string, messageId: string): Promise<number> {
  return withMessages(session, (messages) => messages.markRead(connectionId, messageId));
}

function withMessages<T>(
  { person, keys }: SignedIn,
  act: (messages: PersonMessages) => Promise<T>,
): Promise<T> {
  return withConfirmedKeys(person.person_user_id, (confirmed) =>
    act(new PersonMessages({ api, identity: { person }, key: keys?.key, confirmed, connection })),
  );
}
