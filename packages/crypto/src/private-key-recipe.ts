import { importGcmKey, openGcm, sealGcm } from './aes-gcm.ts';
import { base64Length, decodeBase64, encodeBase64 } from './base64.ts';
import { type Bytes, randomBytes } from './bytes.ts';
import type { CryptoKey } from './crypto-key.ts';
import { CryptoError } from './errors.ts';
import { derivePbkdf2 } from './pbkdf2.ts';

/** A service's private key as the server stores it (wire 2.2). All members but `iter` are base64. */
export type EncryptedPrivateKey = {
  /** PBKDF2-HMAC-SHA-256 iterations, always 100000. */
  iter: number;
  /** 16 bytes. */
  salt: string;
  /** The AES-GCM nonce, 12 bytes. */
  iv: string;
  /** The encrypted PKCS#8 DER followed by the 16-byte tag. */
  data: string;
};

/** A service private-key passphrase: 32 random bytes as base64 text, never sent to the server (wire 2.2). */
export function generatePassphrase(): string {
  return encodeBase64(randomBytes(32));
}

/**
 * Encrypts a service private key for storage on the server (wire 2.2).
 *
 * @param pkcs8 PKCS#8 DER, not encrypted
 */
export async function encryptPrivateKey(pkcs8: Uint8Array, passphrase: string): Promise<EncryptedPrivateKey> {
  const salt = randomBytes(16);
  const { iv, data } = await sealGcm(pkcs8, await deriveWrapKey(passphrase, salt));
  return { iter: ITERATIONS, salt: encodeBase64(salt), iv: encodeBase64(iv), data: encodeBase64(data) };
}

/**
 * The PKCS#8 DER of a service private key.
 *
 * @throws CryptoError `encrypted_key_malformed`, `passphrase_wrong` (altered data gives the same error)
 */
export async function decryptPrivateKey(encrypted: EncryptedPrivateKey, passphrase: string): Promise<Bytes> {
  const { salt, iv, data } = parseEncryptedPrivateKey(encrypted);
  const wrapKey = await deriveWrapKey(passphrase, decodeBase64(salt));
  return openGcm({ iv: decodeBase64(iv), data: decodeBase64(data) }, wrapKey, 'passphrase_wrong');
}

/**
 * Checks the `encrypted_private_key` that a client sends. An unknown member is refused, because it could contain the
 * secret that must not reach the server.
 *
 * @throws CryptoError `encrypted_key_malformed`
 */
export function parseEncryptedPrivateKey(input: unknown): EncryptedPrivateKey {
  if (typeof input === 'object' && input !== null && Object.keys(input).length === 4) {
    const { iter, salt, iv, data } = input as Record<string, unknown>;
    if (
      iter === ITERATIONS &&
      typeof salt === 'string' &&
      base64Length(salt) === 16 &&
      typeof iv === 'string' &&
      base64Length(iv) === 12 &&
      typeof data === 'string' &&
      isPlausibleLength(base64Length(data))
    ) {
      return { iter, salt, iv, data };
    }
  }
  throw new CryptoError('encrypted_key_malformed');
}

async function deriveWrapKey(passphrase: string, salt: Uint8Array): Promise<CryptoKey> {
  const parameters = { hash: 'SHA-256', salt, iterations: ITERATIONS, length: 32 };
  return importGcmKey(await derivePbkdf2(passphrase, parameters));
}

/** PKCS#8 of RSA-2048 is about 1218 bytes: its integers may be a few bytes shorter, and attributes may follow. */
function isPlausibleLength(bytes: number | undefined): boolean {
  return bytes !== undefined && bytes >= 1150 && bytes <= 1400;
}

const ITERATIONS = 100_000;
