import type { KeyObject } from 'node:crypto';
import { sealValue, serializeWrapper } from '@symbolon/crypto';
import type {
  Broadcast,
  BroadcastRequest,
  CompanyConnection,
  CompanyMessage,
  CompanyMessageList,
  MessagesRead,
  ReadMessagesRequest,
  SendMessageRequest,
  SentMessage,
} from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { type Api, path } from '../http/api.ts';
import { ConfigurationError } from '../http/errors.ts';
import type { Opener } from './opener.ts';
import { publicHalf } from './own-key.ts';
import type { PeopleKeys } from './people-keys.ts';

export type Message = {
  id: string;
  /** `inbound` was sent by the customer. */
  direction: CompanyMessage['direction'];
  /** Null when the private key of the client does not open it, or it has none. */
  text: string | null;
  createdAt: string;
  /** When the recipient read it. */
  readAt: string | null;
};

type Parts = { api: Api; people: PeopleKeys; opener: Opener; key: KeyObject | undefined };

/** Messages between a service and its customers (wire 12): `messages` of a data client. */
export class Messages {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Seals a text to the customer and to the service, and sends it. A changed key of the customer is refused.
   *
   * @param options.personId the customer, as a change or a connection names it; without it the connection is read for it
   * @throws ForbiddenError `messages.not_connected`, `messages.messaging_not_entitled`, `messages.messaging_suspended`;
   * UnconfirmedKeyError `sdk.person_key_changed`, `sdk.owner_changed`; ConfigurationError `sdk.private_key`
   *
   * @example
   * await client.messages.send(change.connectionId, 'It is on its way.', { personId: change.personId });
   */
  async send(
    connectionId: string,
    text: string,
    options: { personId?: string; signal?: AbortSignal } = {},
  ): Promise<{ id: string; createdAt: string }> {
    const { api, people } = this.#parts;
    const { signal } = options;
    const ownKey = this.#ownKey();
    const personId = options.personId ?? (await this.#customerOf(connectionId, signal));
    await people.requireCustomers([{ connection_id: connectionId, user_id: personId }]);
    const [body, own] = await Promise.all([people.seal(personId, text, signal), sealValue(text, ownKey)]);
    const json: SendMessageRequest = { body: serializeWrapper(body), sender_body: serializeWrapper(own) };
    const call = { method: 'POST', path: pathOf(connectionId), json, signal } as const;
    const { message_id, created_at } = await api.json<SentMessage>(call);
    return { id: message_id, createdAt: created_at };
  }

  /**
   * The messages of a connection, newest first; the next page is fetched when it is needed.
   *
   * @throws NotFoundError `company_data.connection_not_found`
   */
  async *list(
    connectionId: string,
    options: { pageSize?: number; signal?: AbortSignal } = {},
  ): AsyncGenerator<Message, void, void> {
    const { api, opener } = this.#parts;
    const { pageSize: limit = limits.pageDefault, signal } = options;
    for (let before: string | undefined; ; ) {
      const call = { method: 'GET', path: pathOf(connectionId), query: { limit, before }, signal } as const;
      const { items } = await api.json<CompanyMessageList>(call);
      const texts = await Promise.all(items.map(({ body }) => opener.openText(body)));
      for (const [index, item] of items.entries()) {
        const { message_id: id, direction, created_at: createdAt, read_at: readAt } = item;
        yield { id, direction, text: texts[index] ?? null, createdAt, readAt };
      }
      before = items.at(-1)?.message_id;
      // A page with large messages ends early.
      if (before === undefined) return;
    }
  }

  /**
   * Acknowledges what the customer sent, up to a message: the customer sees that it was read.
   *
   * @returns how many turned read
   * @throws InvalidRequestError `company_data.ack_boundary_invalid`
   */
  async markRead(connectionId: string, messageId: string, signal?: AbortSignal): Promise<number> {
    const json: ReadMessagesRequest = { up_to_message_id: messageId };
    const call = { method: 'POST', path: `${pathOf(connectionId)}/read`, idempotent: true } as const;
    return (await this.#parts.api.json<MessagesRead>({ ...call, json, signal })).read;
  }

  /**
   * Sends a text to all people who are connected. The platform can read it.
   *
   * @throws ForbiddenError `messages.broadcast_suspended`; RateLimitError `messages.rate_limited`; SymbolonError
   * `messages.broadcast_audience_too_large`
   */
  async broadcast(text: string, signal?: AbortSignal): Promise<{ id: string; recipients: number }> {
    const json: BroadcastRequest = { body: text };
    const call = { method: 'POST', path: '/api/company-data/broadcast', json, signal } as const;
    const { broadcast_id, recipients } = await this.#parts.api.json<Broadcast>(call);
    return { id: broadcast_id, recipients };
  }

  #ownKey(): string {
    const { key } = this.#parts;
    if (key === undefined) {
      const message = "Messages are sealed to the service's own key too: give the client its private key.";
      throw new ConfigurationError({ errorKey: 'sdk.private_key', message });
    }
    return publicHalf(key);
  }

  async #customerOf(connectionId: string, signal: AbortSignal | undefined): Promise<string> {
    const call = {
      method: 'GET',
      path: path`/api/company-data/connections/${connectionId}`,
      signal,
    } as const;
    return (await this.#parts.api.json<CompanyConnection>(call)).user_id;
  }
}

const pathOf = (connectionId: string) => path`/api/company-data/connections/${connectionId}/messages`;
