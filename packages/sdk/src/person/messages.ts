import { type CryptoKey, openText, sealValue, serializeWrapper } from '@symbolon/crypto';
import type {
  MessagesRead,
  MessageThread,
  MessageThreadList,
  PersonConnection,
  PersonMessageList,
  ReadMessagesRequest,
  SendMessageRequest,
  SentMessage,
  PersonMessage as WireMessage,
} from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { type Api, path } from '../http/api.ts';
import { type ConfirmedKeys, connectionOf } from '../known-keys/confirmed-keys.ts';
import { keyLocked } from '../login/login-secret.ts';
import { checkServiceKey } from '../values/service-key.ts';
import type { Identity } from './identity.ts';

export type PersonMessage = {
  id: string;
  /** `inbound` was sent by the service. */
  direction: WireMessage['direction'];
  /** Null when the key does not open it. */
  text: string | null;
  /** Sent to all people of the service, in plain text. */
  broadcast: boolean;
  createdAt: string;
  /** When the recipient read it. */
  readAt: string | null;
};

/** What the threads of a person need of a client. */
export type MessageParts = {
  api: Pick<Api, 'json'>;
  identity: Pick<Identity, 'person'>;
  key: CryptoKey | undefined;
  confirmed: ConfirmedKeys;
  connection: (id: string) => Promise<Pick<PersonConnection, 'service'>>;
};

/** Threads with services (wire 12.1): `messages` of a person client. */
export class PersonMessages {
  readonly #parts: MessageParts;

  constructor(parts: MessageParts) {
    this.#parts = parts;
  }

  /** The connections in whose threads something stands, and how much of it is unread. */
  async threads(): Promise<MessageThread[]> {
    const call = { method: 'GET', path: '/api/person/messages' } as const;
    return (await this.#parts.api.json<MessageThreadList>(call)).threads;
  }

  /**
   * Seals a text to the service and to the person, and sends it.
   *
   * @throws NotFoundError `connections.not_found`; UnconfirmedKeyError `sdk.service_key_changed`, `sdk.owner_changed`; RateLimitError
   * `messages.rate_limited`; ForbiddenError `messages.messaging_not_entitled`, `messages.messaging_suspended`
   */
  async send(connectionId: string, text: string): Promise<{ id: string; createdAt: string }> {
    const { api, confirmed, connection, identity } = this.#parts;
    const { service } = await connection(connectionId);
    await checkServiceKey(service);
    const key = { kind: 'service', id: service.id, publicKey: service.public_key } as const;
    await confirmed.assertKnown(key, connectionOf(connectionId));
    const [body, own] = await Promise.all([
      sealValue(text, service.public_key),
      sealValue(text, identity.person.public_key),
    ]);
    const json: SendMessageRequest = { body: serializeWrapper(body), sender_body: serializeWrapper(own) };
    const sent = await api.json<SentMessage>({ method: 'POST', path: pathOf(connectionId), json });
    return { id: sent.message_id, createdAt: sent.created_at };
  }

  /**
   * Messages and broadcasts, newest first.
   *
   * @param options.before the id of a message: only older ones
   * @throws NotFoundError `connections.not_found`; DecryptionError `sdk.key_locked`
   */
  async list(
    connectionId: string,
    { limit = limits.pageDefault, before }: { limit?: number; before?: string } = {},
  ): Promise<PersonMessage[]> {
    const { api, key } = this.#parts;
    if (key === undefined) throw keyLocked();
    const call = { method: 'GET', path: pathOf(connectionId), query: { limit, before } } as const;
    const { items } = await api.json<PersonMessageList>(call);
    return Promise.all(
      items.map(async ({ message_id, direction, body, broadcast, created_at, read_at }) => ({
        id: message_id,
        direction,
        text: broadcast ? body : await openText(body, key).catch(() => null),
        broadcast,
        createdAt: created_at,
        readAt: read_at,
      })),
    );
  }

  /** Tells the service that everything up to a message or broadcast was read. @returns how many turned read */
  async markRead(connectionId: string, messageId: string): Promise<number> {
    const json: ReadMessagesRequest = { up_to_message_id: messageId };
    const call = { method: 'POST', path: `${pathOf(connectionId)}/read`, json, idempotent: true } as const;
    return (await this.#parts.api.json<MessagesRead>(call)).read;
  }
}

const pathOf = (connectionId: string) => path`/api/person/connections/${connectionId}/messages`;
