import { fingerprint, fingerprintWords, sealValue, type Wrapper } from '@symbolon/crypto';
import type { KeyBatch } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import type { Api } from '../http/api.ts';
import { NotFoundError, UnconfirmedKeyError } from '../http/errors.ts';
import type { ConfirmedKeys, NamedKey } from '../known-keys/confirmed-keys.ts';

/** The keys of people, for a company's backend that seals something to them. */
export class PeopleKeys {
  readonly #api: Api;
  readonly #confirmed: ConfirmedKeys;

  constructor(api: Api, confirmed: ConfirmedKeys) {
    this.#api = api;
    this.#confirmed = confirmed;
  }

  /** @throws UnconfirmedKeyError `sdk.person_key_changed` */
  async keys(userIds: readonly string[], signal?: AbortSignal): Promise<Map<string, string>> {
    const found = await this.#named(userIds, signal);
    const isUsable = await this.#confirmed.usable(found);
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

  /** @throws NotFoundError `keys.not_found`; UnconfirmedKeyError `sdk.person_key_changed` */
  async seal(userId: string, plaintext: string, signal?: AbortSignal): Promise<Wrapper> {
    const key = await this.#one(userId, signal);
    await this.#confirmed.assertConfirmed(key);
    return sealValue(plaintext, key.publicKey);
  }

  /** @throws NotFoundError `keys.not_found`, `sdk.key_unknown` */
  async confirm(userId: string, compared: string): Promise<void> {
    await this.#confirmed.confirm(await this.#one(userId), compared);
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
