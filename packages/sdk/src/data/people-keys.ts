import { fingerprint, fingerprintWords, sealValue, type Wrapper } from '@symbolon/crypto';
import type { KeyBatch } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import type { Api } from '../http/api.ts';
import { NotFoundError, UnconfirmedKeyError } from '../http/errors.ts';
import {
  type ConfirmedKeys,
  connectionOf,
  type KeyOwner,
  type NamedKey,
} from '../known-keys/confirmed-keys.ts';

const person = (id: string): KeyOwner => ({ kind: 'person', id });

/** The keys of people, for a company's backend that seals something to them. */
export class PeopleKeys {
  readonly #api: Pick<Api, 'json'>;
  readonly confirmed: ConfirmedKeys;

  constructor(api: Pick<Api, 'json'>, confirmed: ConfirmedKeys) {
    this.#api = api;
    this.confirmed = confirmed;
  }

  /** @throws UnconfirmedKeyError `sdk.person_key_changed` */
  async keys(userIds: readonly string[], signal?: AbortSignal): Promise<Map<string, string>> {
    const found = await this.#named(userIds, signal);
    const isUsable = await this.confirmed.usable(found);
    const changed = found.filter((_, index) => !isUsable[index]);
    const [first] = changed;
    if (first !== undefined) {
      const sha256 = await fingerprint(first.publicKey);
      throw new UnconfirmedKeyError({
        errorKey: 'sdk.person_key_changed',
        message:
          'No key is used: the platform names other keys for some people than before, although keys of people never change. Compare the words with each person before you confirm, or leave them out.',
        details: {
          person_id: first.id,
          fingerprint: sha256,
          words: await fingerprintWords(sha256),
          user_ids: changed.map(({ id }) => id),
        },
      });
    }
    return new Map(found.map(({ id, publicKey }) => [id, publicKey]));
  }

  /**
   * Seals to a person whom the caller names.
   *
   * @throws NotFoundError `keys.not_found`; UnconfirmedKeyError `sdk.person_key_changed`
   */
  async seal(userId: string, plaintext: string, signal?: AbortSignal): Promise<Wrapper> {
    const key = await this.#one(userId, signal);
    await this.confirmed.assertConfirmed(key);
    return sealValue(plaintext, key.publicKey);
  }

  /**
   * Refuses other customers of connections than those that they had when they were first seen. The platform alone says who connects, so
   * a first sight is remembered.
   *
   * @throws UnconfirmedKeyError `sdk.owner_changed`
   */
  requireCustomers(connections: readonly { connection_id: string; user_id: string }[]): Promise<void> {
    return this.confirmed.assertOwners(
      connections.map(({ connection_id, user_id }) => ({
        ...connectionOf(connection_id),
        owners: [person(user_id)],
      })),
    );
  }

  /** Remembers for whom a document was sealed, without an owner for one that all customers read. @throws UnconfirmedKeyError `sdk.owner_changed` */
  issued(documentId: string, userId: string | undefined): Promise<void> {
    return this.confirmed.assertOwners([
      { kind: 'document', id: documentId, owners: userId === undefined ? [] : [person(userId)] },
    ]);
  }

  /**
   * Seals for the recipient of a document that exists; undefined for one that all customers read.
   *
   * @param isForAll the caller knows that all customers read it
   * @throws UnconfirmedKeyError `sdk.owner_changed`, `sdk.person_key_changed`, `sdk.document_not_sealed`
   */
  async sealForDocument(
    { id, person_user_id: userId }: { id: string; person_user_id: string | null },
    plaintext: string,
    { isForAll, signal }: { isForAll: boolean; signal: AbortSignal | undefined },
  ): Promise<Wrapper | undefined> {
    const document = { kind: 'document', id } as const;
    if (userId !== null) {
      const key = await this.#one(userId, signal);
      await this.confirmed.assertKnown(key, document);
      return sealValue(plaintext, key.publicKey);
    }
    if (!isForAll && !(await this.confirmed.hasMet(document))) {
      const message =
        'Nothing was sent: this client does not know whether the document was sealed for one customer. If all customers are to read the file, say so by `forAll: true`.';
      throw new UnconfirmedKeyError({
        errorKey: 'sdk.document_not_sealed',
        message,
        details: { document_id: id },
      });
    }
    await this.issued(id, undefined);
    return undefined;
  }

  /** @throws NotFoundError `keys.not_found`, `sdk.key_unknown` */
  async confirm(userId: string, compared: string): Promise<void> {
    await this.confirmed.confirm(await this.#one(userId), compared);
  }

  async #one(userId: string, signal?: AbortSignal): Promise<NamedKey> {
    const [key] = await this.#named([userId], signal);
    if (key) return key;
    throw new NotFoundError({ errorKey: 'keys.not_found', message: 'There is no such person or company.' });
  }

  /** The keys as the platform names them, of those that were asked for. */
  async #named(userIds: readonly string[], signal?: AbortSignal): Promise<NamedKey[]> {
    const found: NamedKey[] = [];
    for (let start = 0; start < userIds.length; start += limits.keysBatchMost) {
      const user_ids = userIds.slice(start, start + limits.keysBatchMost);
      const call = {
        method: 'POST',
        path: '/api/keys/batch',
        json: { user_ids },
        idempotent: true,
        signal,
      } as const;
      const { keys } = await this.#api.json<KeyBatch>(call);
      const named = new Map(Object.entries(keys));
      for (const id of new Set(user_ids)) {
        const publicKey = named.get(id);
        if (publicKey !== undefined) found.push({ kind: 'person', id, publicKey });
      }
    }
    return found;
  }
}
