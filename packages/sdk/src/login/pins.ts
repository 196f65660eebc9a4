import { CryptoError, type CryptoKey, openPins, sealPins } from '@symbolon/crypto';
import type { PutPinsRequest, Pins as SealedPins } from '@symbolon/protocol';
import type { Api } from '../http/api.ts';
import { ConflictError, DecryptionError } from '../http/errors.ts';
import type { Fingerprints, KeyStore } from '../known-keys/key-store.ts';

type PinsOptions = {
  address: '/api/person/pins' | '/api/account/pins';
  /** By `derivePinsKey` of the account's private key. A browser can keep this key, which cannot be exported. */
  pinsKey: () => Promise<CryptoKey>;
  /** Of the latest list that this device has seen, where it remembers it. */
  lastCounter?: number | undefined;
};

/** What the list needs of a client. */
type Calls = Pick<Api, 'json' | 'done'>;

/**
 * The keys that an account has confirmed. The platform keeps the list and cannot open it; an older list than the latest one
 * seen here is refused.
 */
export class Pins implements KeyStore {
  readonly #api: Calls;
  readonly #options: PinsOptions;
  #key: Promise<CryptoKey> | undefined;
  #list: Promise<Fingerprints> | undefined;
  #counter: number;
  #storing: Promise<unknown> = Promise.resolve();

  constructor(api: Calls, options: PinsOptions) {
    this.#api = api;
    this.#options = options;
    this.#counter = options.lastCounter ?? 0;
  }

  /** A device that keeps it gives it to the next sign-in. */
  get counter(): number {
    return this.#counter;
  }

  /** @throws DecryptionError `sdk.pins_tampered`, `sdk.pins_outdated` */
  async all(): Promise<Fingerprints> {
    this.#list ??= this.#read().catch((error: unknown) => {
      this.#list = undefined;
      throw error;
    });
    return this.#list;
  }

  /** The whole list. */
  read(_names: readonly string[] = [], { fresh = false } = {}): Promise<Fingerprints> {
    if (fresh) this.#list = undefined;
    return this.all();
  }

  /** Remembers keys at their first use. A name that has a key keeps it. @returns the keys that are confirmed now */
  remember(keys: Fingerprints): Promise<Fingerprints> {
    return this.#store((list) => ({ ...keys, ...list }));
  }

  /** Replaces keys after they were confirmed. */
  async confirm(keys: Fingerprints): Promise<void> {
    await this.#store((list) => ({ ...list, ...keys }));
  }

  /** One change at a time. When another device was faster, the change is made to its list. */
  #store(change: (list: Fingerprints) => Fingerprints): Promise<Fingerprints> {
    const stored = this.#storing.then(async () => {
      for (let attempt = 1; ; attempt++) {
        const before = await this.all();
        const after = change(before);
        if (isSame(before, after)) return before;
        const text = JSON.stringify({ v: 1, keys: after });
        const json: PutPinsRequest = await sealPins(text, this.#counter + 1, await this.#pinsKey());
        try {
          await this.#api.done({ method: 'PUT', path: this.#options.address, json });
        } catch (error) {
          const isOutdated = error instanceof ConflictError && error.errorKey === 'people.pins_outdated';
          if (!isOutdated || attempt === ATTEMPTS) throw error;
          this.#list = undefined;
          continue;
        }
        this.#counter = json.counter;
        this.#list = Promise.resolve(after);
        return after;
      }
    });
    this.#storing = stored.catch(() => undefined);
    return stored;
  }

  async #read(): Promise<Fingerprints> {
    const sealed = await this.#api.json<SealedPins>({ method: 'GET', path: this.#options.address });
    const { counter, iv, data } = sealed;
    if (iv === null || data === null) {
      if (this.#counter > 0) throw refusal('pins_outdated');
      return {};
    }
    try {
      const list = parse(await openPins({ counter, iv, data }, this.#counter, await this.#pinsKey()));
      this.#counter = counter;
      return list;
    } catch (error) {
      if (error instanceof CryptoError) throw refusal(error.code, error.message);
      throw error;
    }
  }

  #pinsKey(): Promise<CryptoKey> {
    this.#key ??= this.#options.pinsKey();
    return this.#key;
  }
}

function parse(text: string): Fingerprints {
  try {
    const { v, keys } = JSON.parse(text);
    if (v === 1 && Object.values(keys).every((key) => typeof key === 'string')) return { ...keys };
  } catch {
    // As below.
  }
  throw new CryptoError('pins_tampered');
}

function isSame(before: Fingerprints, after: Fingerprints): boolean {
  const names = Object.keys(after);
  return names.length === Object.keys(before).length && names.every((name) => before[name] === after[name]);
}

function refusal(code: string, message = new CryptoError('pins_outdated').message): DecryptionError {
  return new DecryptionError({ errorKey: `sdk.${code}`, message });
}

const ATTEMPTS = 4;
