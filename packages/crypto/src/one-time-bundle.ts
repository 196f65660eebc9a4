import { importGcmKey, openGcm, sealGcm } from './aes-gcm.ts';
import { base64Length, decodeBase64, encodeBase64 } from './base64.ts';
import { type Bytes, concatBytes, decodeUtf8, randomBytes, textOrBytes } from './bytes.ts';
import type { CryptoKey } from './crypto-key.ts';
import { CryptoError } from './errors.ts';

/** Base64 of 32 random bytes: the key under which a flow's values are passed on for one generation. */
export function generateOneTimeKey(): string {
  return encodeBase64(randomBytes(32));
}

/**
 * Seals under a one-time key: base64 of nonce (12) ‖ ciphertext ‖ tag (16), AES-256-GCM without additional data.
 *
 * @param plaintext text (sealed as UTF-8) or bytes
 * @param otk from {@link generateOneTimeKey}
 * @throws CryptoError `key_invalid`
 */
export async function sealBundle(plaintext: string | Uint8Array, otk: string): Promise<string> {
  const { iv, data } = await sealGcm(textOrBytes(plaintext), await importOneTimeKey(otk));
  return encodeBase64(concatBytes(iv, data));
}

/** Inverse of {@link sealBundle}. Throws `key_invalid` for an invalid key, else `bundle_tampered`. */
export async function openBundle(text: string, otk: string): Promise<Bytes> {
  const key = await importOneTimeKey(otk);
  if ((base64Length(text) ?? 0) < 12 + 16) throw new CryptoError('bundle_tampered');
  const bundle = decodeBase64(text);
  return openGcm({ iv: bundle.subarray(0, 12), data: bundle.subarray(12) }, key, 'bundle_tampered');
}

/** As {@link openBundle}, for text; `bundle_tampered` too when the plaintext is no UTF-8. */
export async function openBundleText(text: string, otk: string): Promise<string> {
  const plaintext = decodeUtf8(await openBundle(text, otk));
  if (plaintext === undefined) throw new CryptoError('bundle_tampered', 'The bundle holds no UTF-8 text.');
  return plaintext;
}

async function importOneTimeKey(otk: string): Promise<CryptoKey> {
  if (base64Length(otk) !== 32) throw new CryptoError('key_invalid', 'A one-time key is base64 of 32 bytes.');
  return importGcmKey(decodeBase64(otk));
}
