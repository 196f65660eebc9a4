import { fingerprint, fingerprintWords } from '@symbolon/crypto';
import { NotFoundError, UnconfirmedKeyError } from '../http/errors.ts';
import { checkServiceKey } from '../values/service-key.ts';
import type { KeyStore } from './key-store.ts';

/** What has a key that values are sealed to: a service or a sign-in app by its id, a person or company by the user id. */
export type KeyOwner = { kind: 'service' | 'app' | 'person'; id: string };

/** A key as the platform names it. */
export type NamedKey = KeyOwner & { publicKey: string };

/**
 * What exists already: a connection, a run, a document, the site at which a service was connected, by its client_id, or the code that
 * a company gave.
 */
export type Thing = { kind: 'connection' | 'run' | 'document' | 'site' | 'code'; id: string };

/** Whose it is: one owner, the parties of a run, or no owner in particular. */
export type Owned = Thing & { owners: readonly KeyOwner[] };

/** The connection whose owner is a service. A company has links to several services of another one. */
export const connectionOf = (connectionId: string, serviceLinkId?: string): Thing => ({
  kind: 'connection',
  id: serviceLinkId === undefined ? connectionId : `${connectionId} ${serviceLinkId}`,
});

/** The codes by which the user chose a service, as they were typed or stand in a link. */
export const codeOf = (companyCode: string, serviceCode: string): Thing => ({
  kind: 'code',
  id: [companyCode, serviceCode].map((code) => code.trim().toUpperCase()).join('/'),
});

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
 * The keys that may be sealed to, and whose what exists already is. A key is remembered where the user chose its owner; a changed
 * one is used only after it was confirmed. Acts on what exists use known keys alone, of the owner that it had before: otherwise an
 * answer could name an owner of its own, and each of its keys would be a new one. What the platform says of a change is a reason
 * to ask, not a proof.
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
    return Promise.all(unusable(await this.#compared(keys, 'remember')));
  }

  /** Those of the keys that may not be used, keys of new owners too. */
  async unconfirmed(keys: readonly NamedKey[]): Promise<ChangedKey[]> {
    return Promise.all(unusable(await this.#compared(keys, 'known alone')));
  }

  /**
   * Call it before something is sealed to a key whose owner the user chose here. The key of a new owner is remembered.
   *
   * @param of what belongs to the owner
   * @throws UnconfirmedKeyError `sdk.service_key_changed`, `sdk.app_key_changed`, `sdk.person_key_changed`, `sdk.owner_changed`
   */
  assertConfirmed(key: NamedKey, of?: Thing): Promise<void> {
    return this.#assert(key, of, 'remember');
  }

  /**
   * Call it before something is sealed for what exists already: the key must be known. Whose it is is remembered, where that is not
   * known yet.
   *
   * @throws UnconfirmedKeyError as `assertConfirmed`, for the key of a new owner too
   */
  assertKnown(key: NamedKey, of?: Thing): Promise<void> {
    return this.#assert(key, of, 'known alone');
  }

  /**
   * Call it before answers are sealed to a service.
   *
   * @throws TransportError `sdk.key_mismatch`; UnconfirmedKeyError `sdk.service_key_changed`, `sdk.owner_changed`
   */
  async requireFor(answers: Readonly<Record<string, object>>, asked: Asking): Promise<void> {
    const { service, isNew, isProven, of } = asked;
    if (!isNew && Object.values(answers).every((answer) => 'remove' in answer)) return;
    await checkServiceKey(service);
    const key = { kind: 'service', id: service.id, publicKey: service.public_key } as const;
    if (isProven && of !== undefined) {
      await this.assertConfirmed(key);
      return this.confirmOwners({ ...of, owners: [key] });
    }
    // The first message may come long after a connection without answers: its key is remembered now.
    await (isNew ? this.assertConfirmed(key, of) : this.assertKnown(key, of));
  }

  /** Which of these belong to whom they belonged before, in their order. What is not known yet counts as such. */
  async held(owned: readonly Owned[]): Promise<boolean[]> {
    return (await this.#owners(owned)).map(
      (known, index) => known === undefined || known === owners(owned[index]),
    );
  }

  /** Remembers whose these are, where that is not known yet. */
  async met(owned: readonly Owned[]): Promise<void> {
    if (owned.length > 0) await this.#store.remember(pinsOf(owned));
  }

  /** The same, once they are known to belong to whom they belonged before. @throws UnconfirmedKeyError `sdk.owner_changed` */
  async assertOwners(owned: readonly Owned[]): Promise<void> {
    await this.met(owned);
    await this.#refuseOthers(owned);
  }

  /** Whether it is known whose this is. */
  async hasMet(thing: Thing): Promise<boolean> {
    return (await this.#owners([{ ...thing, owners: [] }]))[0] !== undefined;
  }

  /** Takes new owners, after the user was shown them. */
  confirmOwners(owned: Owned): Promise<void> {
    return this.#store.confirm(pinsOf([owned]));
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

  async #assert(key: NamedKey, of: Thing | undefined, at: 'remember' | 'known alone'): Promise<void> {
    const owned = of === undefined ? [] : [{ ...of, owners: [key] }];
    await this.#refuseOthers(owned);
    const [changed] = unusable(await this.#compared([key], at));
    if (changed !== undefined) {
      const { kind, id, ...members } = await changed;
      throw new UnconfirmedKeyError({
        errorKey: `sdk.${kind}_key_changed`,
        message: members.confirmed === null ? UNKNOWN[kind] : CHANGED[kind],
        details: { [`${kind}_id`]: id, ...members },
      });
    }
    await this.assertOwners(owned);
  }

  async #refuseOthers(owned: readonly Owned[]): Promise<void> {
    const isHeld = await this.held(owned);
    const other = owned.find((_, index) => !isHeld[index]);
    if (other === undefined) return;
    const [known = ''] = await this.#owners([other]);
    const before = known.split(', ');
    throw new UnconfirmedKeyError({
      errorKey: 'sdk.owner_changed',
      message: OTHERS[other.kind],
      details: {
        [`${other.kind}_id`]: other.id,
        confirmed: before,
        added: other.owners.map(nameOf).filter((name) => !before.includes(name)),
      },
    });
  }

  async #owners(owned: readonly Owned[]): Promise<(string | undefined)[]> {
    if (owned.length === 0) return [];
    const names = owned.map(nameOf);
    let known = await this.#store.read(names);
    if (owned.some((one) => known[nameOf(one)] !== owners(one))) {
      known = await this.#store.read(names, { fresh: true });
    }
    return names.map((name) => known[name]);
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

/** What answers are for: a connection that the user makes now, or one that exists. */
export type Asking = {
  service: { id: string; public_key: string; public_key_sha256: string };
  /** The user chose this service here. */
  isNew?: boolean | undefined;
  /** The link that the user followed has the fingerprint of its key: the company said that its code leads to this service. */
  isProven?: boolean | undefined;
  of?: Thing | undefined;
};

type Compared = { key: NamedKey; found: string; known: string | undefined };

const isUsable = ({ found, known }: Compared) => found === known;

function unusable(compared: readonly Compared[]): Promise<ChangedKey>[] {
  return compared
    .filter((one) => !isUsable(one))
    .map(async ({ key: { kind, id }, found, known }) => ({
      kind,
      id,
      fingerprint: found,
      words: await fingerprintWords(found),
      confirmed: known ?? null,
    }));
}

/** Under which a key, or an owner, is kept. */
function nameOf({ kind, id }: KeyOwner | Thing): string {
  return `${kind} ${id}`;
}

/** As they are kept: `service <id>`, or `person <id>, person <id>`. */
function owners(owned: Owned | undefined): string {
  return [...new Set(owned?.owners.map(nameOf))].sort().join(', ');
}

const pinsOf = (owned: readonly Owned[]) =>
  Object.fromEntries(owned.map((one) => [nameOf(one), owners(one)]));

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

const UNKNOWN = {
  service:
    'Nothing was sealed: the key of this service is not known here. If you share with this service, compare its words with the company, then confirm the key.',
  app: 'Nothing was sealed: the key of this site is not known here. Compare its words with the company behind it, then confirm the key.',
  person:
    'Nothing was sealed: the key of this person is not known here. Compare its words with the person, then confirm it.',
} as const;

const OTHERS = {
  connection:
    'Nothing was sealed: the platform names another owner of this connection than before, although that never changes. Ask the company over another channel; to share with it, connect anew by its link.',
  run: 'Nothing was sealed: the platform names parties of this run that it did not name before. Ask the company who they are, then confirm them, or decline the run.',
  document:
    'Nothing was sent: the platform names another recipient of this document than before, although that never changes. Issue a new document.',
  code: 'Nothing was sealed: this code leads to another service than before. Ask the company over another channel; to share with that service, connect by a link of the company that has the fingerprint of its key.',
  site: 'Nothing was sealed: this site leads to another service than before. Ask the company behind it over another channel.',
} as const;
