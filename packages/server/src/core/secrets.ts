import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { deriveKey, type KeyRing } from './key-ring.ts';

/** The server's keys, all derived from one root secret by HKDF-SHA-256. */
export interface Secrets {
  /** Keyed hash under which a secret is stored, lower-case hex. */
  hash(secret: string): string;
  /** Compares a secret with its stored hash in constant time. */
  matches(secret: string, storedHash: string): boolean;
  /** Encrypts for storage; the text says which version of the key-encryption key it is under. */
  encrypt(plaintext: Uint8Array): string;
  /** @throws Error when the text was not made by `encrypt` under a known key */
  decrypt(stored: string): Buffer;
  /** Signs and checks access tokens. */
  readonly tokenKey: KeyObject;
  /** By it the regions know each other. */
  readonly peerKey: KeyObject;
  /** The key-encryption keys. */
  readonly keys: KeyRing;
}

/** What `encrypt` makes: the version of the key, then IV, ciphertext and tag. */
const STORED = /^v(\d{1,6}):/;

export function createSecrets(keys: KeyRing): Secrets {
  const pepper = deriveKey(keys.root, 'pepper');
  const hash = (secret: string) => createHmac('sha256', pepper).update(secret).digest('hex');
  return {
    hash,
    matches(secret, storedHash) {
      const stored = Buffer.from(storedHash, 'latin1');
      const actual = Buffer.from(hash(secret), 'latin1');
      return timingSafeEqual(stored.length === actual.length ? stored : Buffer.alloc(actual.length), actual);
    },
    encrypt(plaintext) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keys.key(keys.current), iv);
      const data = Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
      return `v${keys.current}:${data.toString('base64')}`;
    },
    decrypt(stored) {
      const [prefix, version] = STORED.exec(stored) ?? [];
      if (prefix === undefined) throw new Error('Not encrypted by this server.');
      const data = Buffer.from(stored.slice(prefix.length), 'base64');
      const decipher = createDecipheriv('aes-256-gcm', keys.key(Number(version)), data.subarray(0, 12));
      decipher.setAuthTag(data.subarray(-16));
      return Buffer.concat([decipher.update(data.subarray(12, -16)), decipher.final()]);
    },
    tokenKey: deriveKey(keys.root, 'access token'),
    peerKey: deriveKey(keys.root, 'peer'),
    keys,
  };
}
