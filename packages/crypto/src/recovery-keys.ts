import { importGcmKey } from './aes-gcm.ts';
import { encodeBase64 } from './base64.ts';
import { asBytes } from './bytes.ts';
import type { CryptoKey } from './crypto-key.ts';
import { CryptoError } from './errors.ts';
import { expandHkdf } from './hkdf.ts';
import { parseRecoveryCode } from './recovery-code.ts';

export type RecoveryKeys = {
  /** Base64 of 32 bytes, sent to the server as proof of holding the code. */
  recoverySecret: string;
  /** Wraps the private key a second time; never leaves the device and cannot be exported. */
  wrapKey: CryptoKey;
};

/**
 * Derives proof and wrap key from a recovery code by HKDF-SHA-256 with different info strings.
 *
 * @param code as the person types it, or its 32 bytes
 * @throws CryptoError `key_invalid`
 */
export async function deriveRecoveryKeys(code: string | Uint8Array): Promise<RecoveryKeys> {
  const bytes = typeof code === 'string' ? parseRecoveryCode(code) : asBytes(code);
  if (bytes.length !== 32) throw new CryptoError('key_invalid', 'A recovery code is 32 bytes long.');
  const [proof, wrap] = await Promise.all([
    expandHkdf(bytes, 'symbolon recovery proof'),
    expandHkdf(bytes, 'symbolon recovery wrap'),
  ]);
  return { recoverySecret: encodeBase64(proof), wrapKey: await importGcmKey(wrap) };
}
