import { importGcmKey } from './aes-gcm.ts';
import { encodeBase64 } from './base64.ts';
import type { CryptoKey } from './crypto-key.ts';
import { CryptoError } from './errors.ts';
import { derivePbkdf2 } from './pbkdf2.ts';

export type LoginKeys = {
  /** Base64 of 32 bytes, which the server gets instead of the password. */
  loginSecret: string;
  /** Wraps the private key; never leaves the device and cannot be exported. */
  wrapKey: CryptoKey;
};

/**
 * Derives two independent keys from a person's password: PBKDF2-SHA-256, 600,000 iterations, 64 bytes. The password is
 * normalized to Unicode NFC first (RFC 8265 section 4.2), because keyboards compose letters differently.
 *
 * @param salt16 the account's 16-byte salt
 * @throws CryptoError `key_invalid` for a salt of another length
 */
export async function deriveLoginKeys(password: string, salt16: Uint8Array): Promise<LoginKeys> {
  if (salt16.length !== 16) throw new CryptoError('key_invalid', 'The salt must be 16 bytes long.');
  const parameters = { hash: 'SHA-256', salt: salt16, iterations: 600_000, length: 64 };
  const derived = await derivePbkdf2(password.normalize('NFC'), parameters);
  const wrapKey = await importGcmKey(derived.subarray(32));
  return { loginSecret: encodeBase64(derived.subarray(0, 32)), wrapKey };
}
