import { importGcmKey } from './aes-gcm.ts';
import { type Bytes, encodeUtf8 } from './bytes.ts';
import type { CryptoKey } from './crypto-key.ts';
import { CryptoError } from './errors.ts';
import { expandHkdf } from './hkdf.ts';

/**
 * What a device gives to the PRF extension of a passkey, as `prf.eval.first`. One input for all accounts is enough: each
 * passkey has a secret of its own.
 */
export function passkeyPrfInput(): Bytes {
  return encodeUtf8('symbolon passkey prf');
}

/**
 * The key that wraps an account's private key for one passkey: HKDF-SHA-256 of the output of its PRF extension, without salt,
 * with the info `symbolon passkey wrap`. It cannot be exported. The output never leaves the device.
 *
 * @param prfOutput 32 bytes, `prf.results.first`
 * @throws CryptoError `key_invalid`
 */
export async function derivePasskeyWrapKey(prfOutput: Uint8Array): Promise<CryptoKey> {
  if (prfOutput.length !== 32) throw new CryptoError('key_invalid', 'The PRF output must be 32 bytes long.');
  return importGcmKey(await expandHkdf(prfOutput, 'symbolon passkey wrap'));
}
