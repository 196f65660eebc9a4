import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { deriveKey, type KeyRing } from './key-ring.ts';

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

/** The server's keys, all derived from one root secret by HKDF-SHA-256. */
export interface Secrets {
  /** Keyed hash under which a secret is stored, lower-case hex. */
  hash(secret: string): string;
  /** Compares a secret with its stored hash in constant time. */
  matches(secret: string, storedHash: string): boolean;
  /** Encrypts for one place in the database; the text says which version of the key-encryption key it is under. */
  encrypt(plaintext: Uint8Array, place: StoredPlace): string;
  /** @throws Error when the text was not made by `encrypt` for this place, under a known key */
  decrypt(stored: string, place: StoredPlace): Buffer;
  /** From now on refuses texts that are bound to no place, as earlier versions made them. */
  refuseUnbound(): void;
  /** Signs and checks access tokens. */
  readonly tokenKey: KeyObject;
  /** By it the regions know each other. */
  readonly peerKey: KeyObject;
  /** The key-encryption keys. */
  readonly keys: KeyRing;
}

/** What `encrypt` makes: `k` and the version of the key, then IV, ciphertext and tag. `v` marks a text bound to no place. */
const STORED = /^([kv])(\d{1,6}):/;

/** How a stored text begins: whether it is bound to its place, and the version of its key. */
export function readStored(stored: string): { bound: boolean; version: number; prefix: string } {
  const [prefix, mark, version] = STORED.exec(stored) ?? [];
  if (prefix === undefined) throw new Error('Not encrypted by this server.');
  return { bound: mark === 'k', version: Number(version), prefix };
}

export function createSecrets(keys: KeyRing): Secrets {
  const pepper = deriveKey(keys.root, 'pepper');
  const hash = (secret: string) => createHmac('sha256', pepper).update(secret).digest('hex');
  let unboundRefused = false;
  return {
    hash,
    matches(secret, storedHash) {
      const stored = Buffer.from(storedHash, 'latin1');
      const actual = Buffer.from(hash(secret), 'latin1');
      return timingSafeEqual(stored.length === actual.length ? stored : Buffer.alloc(actual.length), actual);
    },
    encrypt(plaintext, place) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keys.key(keys.current), iv);
      cipher.setAAD(additionalData(place));
      const data = Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
      return `k${keys.current}:${data.toString('base64')}`;
    },
    decrypt(stored, place) {
      const { bound, version, prefix } = readStored(stored);
      if (!bound && unboundRefused) throw new Error('The stored text is bound to no place.');
      const data = Buffer.from(stored.slice(prefix.length), 'base64');
      const decipher = createDecipheriv('aes-256-gcm', keys.key(version), data.subarray(0, 12));
      if (bound) decipher.setAAD(additionalData(place));
      decipher.setAuthTag(data.subarray(-16));
      return Buffer.concat([decipher.update(data.subarray(12, -16)), decipher.final()]);
    },
    refuseUnbound() {
      unboundRefused = true;
    },
    tokenKey: deriveKey(keys.root, 'access token'),
    peerKey: deriveKey(keys.root, 'peer'),
    keys,
  };
}

function additionalData({ table, column, id }: StoredPlace): Buffer {
  return Buffer.from(JSON.stringify([table, column, ...(typeof id === 'string' ? [id] : id)]));
}
