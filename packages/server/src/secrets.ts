import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HmacSha256 } from './access/hmac.ts';
import { ConfigError } from './config.ts';

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
}

/** @param root 32 bytes, base64 */
export function createSecrets(root: string): Secrets {
  const bytes = Buffer.from(root, 'base64');
  if (bytes.length !== 32) throw new ConfigError('SYMBOLON_SECRET takes the base64 of exactly 32 bytes.');
  const derive = (purpose: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', bytes, new Uint8Array(), `symbolon ${purpose} v1`, 32)));
  const pepper = new HmacSha256(derive('pepper'));
  const keyEncryption = derive('key encryption');
  return {
    hash: (secret) => pepper.digest(secret, 'hex'),
    matches(secret, storedHash) {
      const stored = Buffer.from(storedHash, 'latin1');
      const actual = Buffer.from(pepper.digest(secret, 'hex'), 'latin1');
      return timingSafeEqual(stored.length === actual.length ? stored : Buffer.alloc(actual.length), actual);
    },
    encrypt(plaintext) {
      const iv = randomBytes(12);
      const cipher = createCipheriv('aes-256-gcm', keyEncryption, iv);
      const data = Buffer.concat([iv, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
      return `v1:${data.toString('base64')}`;
    },
    decrypt(stored) {
      if (!stored.startsWith('v1:')) throw new Error('Encrypted under an unknown version of the server key.');
      const data = Buffer.from(stored.slice(3), 'base64');
      const decipher = createDecipheriv('aes-256-gcm', keyEncryption, data.subarray(0, 12));
      decipher.setAuthTag(data.subarray(-16));
      return Buffer.concat([decipher.update(data.subarray(12, -16)), decipher.final()]);
    },
    tokenKey: derive('access token'),
  };
}

/**
 * The root secret: the configured one, or that of the data folder, made there on the first start (readable by its owner only).
 */
export function loadRootSecret(configured: string | undefined, dataDir: string): string {
  if (configured !== undefined) return configured;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const path = join(dataDir, 'secret.key');
  try {
    // 'wx' settles the race of two first starts: one writes, the other reads.
    writeFileSync(path, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8').trim();
}
