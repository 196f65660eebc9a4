import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { KeyRing } from './key-ring.ts';

/**
 * Where an encrypted text is stored. It is bound to its place by additional data: copied into another row or column, it does
 * not decrypt.
 */
export interface StoredPlace {
  readonly table: string;
  readonly column: string;
  /** The row's primary key; of several columns, in the order in which the table declares them. */
  readonly id: string | readonly string[];
}

/** What the server does with its keys, which all derive from the versions of one secret. */
export interface Secrets {
  /** Keyed hash under which a secret is stored: lower-case hex, after `<version>:` from version 2 of the key on. */
  hash(secret: string): string;
  /**
   * The hashes under which a secret may be stored, the current version's first. Look-ups by hash try all of them: see
   * `lookUp`.
   */
  hashes(secret: string): readonly string[];
  /** Compares a secret with its stored hash in constant time. False for a hash under a version that is not there. */
  matches(secret: string, storedHash: string): boolean;
  /** Whether a stored hash is under the current version; one that is not is replaced when its secret is next shown. */
  isCurrent(storedHash: string): boolean;
  /** Keyed hash for answers about what does not exist. It stays the same as long as the oldest version is there. */
  decoy(text: string): Buffer;
  /** Encrypts for one place in the database; the text says which version of the key-encryption key it is under. */
  encrypt(plaintext: Uint8Array, place: StoredPlace): string;
  /** @throws Error when the text was not made by `encrypt` for this place, under a known key */
  decrypt(stored: string, place: StoredPlace): Buffer;
  /** The versions of the secret. */
  readonly keys: KeyRing;
}

/** How a stored text begins. */
export const STORED_MARK = 'k';
/** What `encrypt` makes: the mark and the version of the key, then IV, ciphertext and tag. */
const STORED = /^k(\d{1,6}):/;

/** How a stored text begins, and the version of its key. @throws {Error} for another text */
export function readStored(stored: string): { version: number; prefix: string } {
  const [prefix, version] = STORED.exec(stored) ?? [];
  if (prefix === undefined) throw new Error('Not encrypted by this server.');
  return { version: Number(version), prefix };
}

export function createSecrets(keys: KeyRing): Secrets {
  const digest = (secret: string, version: number) =>
    createHmac('sha256', keys.key('pepper', version)).update(secret).digest();
  const hash = (secret: string, version = keys.current) =>
    `${version === 1 ? '' : `${version}:`}${digest(secret, version).toString('hex')}`;
  return {
    hash: (secret) => hash(secret),
    hashes(secret) {
      const others = keys.versions.filter((version) => version !== keys.current);
      return [keys.current, ...others].map((version) => hash(secret, version));
    },
    matches(secret, storedHash) {
      const version = hashVersion(storedHash);
      const stored = Buffer.from(storedHash, 'latin1');
      // A version that is not there takes the same work.
      const actual = Buffer.from(hash(secret, keys.has(version) ? version : keys.current), 'latin1');
      return timingSafeEqual(stored.length === actual.length ? stored : Buffer.alloc(actual.length), actual);
    },
    isCurrent: (storedHash) => hashVersion(storedHash) === keys.current,
    decoy: (text) => digest(text, keys.oldest),
    encrypt(plaintext, place) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keys.key('key encryption', keys.current), iv);
      cipher.setAAD(additionalData(place));
      const data = Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
      return `${STORED_MARK}${keys.current}:${data.toString('base64')}`;
    },
    decrypt(stored, place) {
      const { version, prefix } = readStored(stored);
      const data = Buffer.from(stored.slice(prefix.length), 'base64');
      const decipher = createDecipheriv(
        'aes-256-gcm',
        keys.key('key encryption', version),
        data.subarray(0, 12),
      );
      decipher.setAAD(additionalData(place));
      decipher.setAuthTag(data.subarray(-16));
      return Buffer.concat([decipher.update(data.subarray(12, -16)), decipher.final()]);
    },
    keys,
  };
}

/** The version of the key under which a stored hash is. */
function hashVersion(storedHash: string): number {
  const colon = storedHash.indexOf(':');
  return colon < 0 ? 1 : Number(storedHash.slice(0, colon));
}

/** Looks a secret up by its hashes, one after the other. @returns what was found under one of them */
export async function lookUp<T>(
  hashes: readonly string[],
  find: (hash: string) => Promise<T | undefined>,
): Promise<T | undefined> {
  for (const hash of hashes) {
    const found = await find(hash);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Tries the hashes of a secret, one after the other. @returns whether one of them did it */
export async function takeByHash(
  hashes: readonly string[],
  take: (hash: string) => Promise<boolean>,
): Promise<boolean> {
  return (await lookUp(hashes, async (hash) => (await take(hash)) || undefined)) === true;
}

function additionalData({ table, column, id }: StoredPlace): Buffer {
  return Buffer.from(JSON.stringify([table, column, ...(typeof id === 'string' ? [id] : id)]));
}
