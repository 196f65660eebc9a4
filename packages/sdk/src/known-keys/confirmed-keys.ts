import { fingerprint, fingerprintWords } from '@symbolon/crypto';
import { NotFoundError, UnconfirmedKeyError } from '../http/errors.ts';
import { checkServiceKey } from '../values/service-key.ts';
import type { KeyStore } from './key-store.ts';

/** What has a key that values are sealed to: a service or a sign-in app by its id, a person or company by the user id. */
export type KeyOwner = { kind: 'service' | 'app' | 'person'; id: string };

/** A key as the platform names it. */
export type NamedKey = KeyOwner & { publicKey: string };

/** A key that is not the one known for its owner, or whose owner is not known. */
export type ChangedKey = KeyOwner & {
  /** Of the key that the platform names now. */
  fingerprint: string;
  /** Compare them with the owner over another channel, such as the telephone. */
  words: string;
  /** The fingerprint that is known; null when none is. */
  confirmed: string | null;
};

/**
 * The keys that may be sealed to. A key is remembered at its first use; a changed one is used only after it was confirmed. What
 * the platform says of a change is a reason to ask, not a proof.
 */
export class ConfirmedKeys {
  readonly #store: KeyStore;

  constructor(store: KeyStore) {
    this.#store = store;
  }

  /**
   * Which of the keys may be used, in their order. A key of an owner that is not known may not: the user did not choose to share with it
   * on a device, and a platform can name owners of its own.
   */
  async known(keys: readonly NamedKey[]): Promise<boolean[]> {
    return (await this.#compared(keys, 'known alone')).map(isUsable);
  }

  /** Which of the keys may be used, in their order. Keys of new owners are remembered. */
  async usable(keys: readonly NamedKey[]): Promise<boolean[]> {
    return (await this.#compared(keys, 'remember')).map(isUsable);
  }

  /** Those of the keys that may not be used. Keys of new owners are remembered, which needs a choice to share with them. */
  async changed(keys: readonly NamedKey[]): Promise<ChangedKey[]> {
    return unusable(await this.#compared(keys, 'remember'));
  }

  /** Those of the keys that may not be used, keys of new owners too. */
  async unconfirmed(keys: readonly NamedKey[]): Promise<ChangedKey[]> {
    return unusable(await this.#compared(keys, 'known alone'));
  }

  /**
   * Call it before something is sealed to a key.
   *
   * @throws UnconfirmedKeyError `sdk.service_key_changed`, `sdk.app_key_changed`, `sdk.person_key_changed`
   */
  async assertConfirmed(key: NamedKey): Promise<void> {
    const [changed] = await this.changed([key]);
    if (changed === undefined) return;
    const { kind, id, ...members } = changed;
    throw new UnconfirmedKeyError({
      errorKey: `sdk.${kind}_key_changed`,
      message: CHANGED[kind],
      details: { [`${kind}_id`]: id, ...members },
    });
  }

  /**
   * Call it before answers are sealed to a service.
   *
   * @throws TransportError `sdk.key_mismatch`; UnconfirmedKeyError `sdk.service_key_changed`
   */
  async requireFor(
    answers: Readonly<Record<string, object>>,
    service: { id: string; public_key: string; public_key_sha256: string },
  ): Promise<void> {
    if (Object.values(answers).every((answer) => 'remove' in answer)) return;
    await checkServiceKey(service);
    await this.assertConfirmed({ kind: 'service', id: service.id, publicKey: service.public_key });
  }

  /**
   * Confirms the key that the platform names for an owner, when it is the one that was compared.
   *
   * @param compared its words, or its fingerprint as 64 hexadecimal digits
   * @throws NotFoundError `sdk.key_unknown` when it is another key
   */
  async confirm(key: NamedKey, compared: string): Promise<void> {
    const sha256 = await fingerprint(key.publicKey);
    if (!(await isSame(compared, sha256))) {
      const message =
        'The platform names a key with another fingerprint and other words. Nothing was confirmed.';
      throw new NotFoundError({ errorKey: 'sdk.key_unknown', message });
    }
    await this.#store.confirm({ [nameOf(key)]: sha256 });
  }

  async #compared(keys: readonly NamedKey[], at: 'remember' | 'known alone'): Promise<Compared[]> {
    if (keys.length === 0) return [];
    const named = await Promise.all(
      keys.map(async (key) => ({ key, name: nameOf(key), found: await fingerprint(key.publicKey) })),
    );
    const names = named.map(({ name }) => name);
    const first = Object.fromEntries(named.map(({ name, found }) => [name, found]));
    let known = at === 'remember' ? await this.#store.remember(first) : await this.#store.read(names);
    // Another device or process may have confirmed a key since this one read the list.
    if (named.some(({ name, found }) => known[name] !== found)) {
      known = await this.#store.read(names, { fresh: true });
    }
    return named.map(({ key, name, found }) => ({ key, found, known: known[name] }));
  }
}

type Compared = { key: NamedKey; found: string; known: string | undefined };

const isUsable = ({ found, known }: Compared) => found === known;

function unusable(compared: readonly Compared[]): Promise<ChangedKey[]> {
  return Promise.all(
    compared
      .filter((one) => !isUsable(one))
      .map(async ({ key: { kind, id }, found, known }) => ({
        kind,
        id,
        fingerprint: found,
        words: await fingerprintWords(found),
        confirmed: known ?? null,
      })),
  );
}

/** Under which a key is kept. */
function nameOf({ kind, id }: KeyOwner): string {
  return `${kind} ${id}`;
}

/** Whether a fingerprint is the one that was compared, as words or as digits. */
async function isSame(compared: string, sha256: string): Promise<boolean> {
  const text = compared.trim().toLowerCase();
  const digits = text.replaceAll(/[\s:]/g, '');
  if (/^[0-9a-f]{64}$/.test(digits)) return digits === sha256;
  return text.replaceAll(/[\s,.-]+/g, ' ').trim() === (await fingerprintWords(sha256));
}

const CHANGED = {
  service:
    'Nothing was sealed: the service has another key than before. Compare its words with the company, then confirm the key.',
  app: 'Nothing was sealed: the site has another key than before. Compare its words with the company behind it, then confirm the key.',
  person:
    'Nothing was sealed: the platform names another key for this person than before, although keys of people never change. Compare its words with the person before you confirm it.',
} as const;
