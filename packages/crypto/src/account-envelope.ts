import { type Bytes, textOrBytes } from './bytes.ts';
import type { CryptoKey } from './crypto-key.ts';
import { importPrivateKey } from './keys.ts';
import { openBytes, sealValue } from './seal.ts';
import type { Wrapper } from './wrapper.ts';

/** PKCS#8 DER, or a key imported with the digest SHA-1. */
export type AccountPrivateKey = Uint8Array | CryptoKey;

/**
 * Wraps a whole webhook body for the company's account key: the value wrapper with SHA-1 as OAEP digest
 * (wire 6.4).
 *
 * @param body the serialised event, JSON or XML
 * @param accountPublicKey base64 SPKI, or a key imported with the digest SHA-1
 * @throws CryptoError `key_invalid`
 */
export async function sealAccountEnvelope(
  body: string | Uint8Array,
  accountPublicKey: CryptoKey | string,
): Promise<Wrapper> {
  return sealValue(textOrBytes(body), accountPublicKey, { oaepHash: 'SHA-1' });
}

/**
 * The bytes of the webhook body. Field values inside stay sealed to the service key.
 *
 * @throws CryptoError `wrapper_malformed`, `wrapper_tampered`, `key_invalid`
 */
export async function openAccountEnvelope(wrapper: Wrapper | string, key: AccountPrivateKey): Promise<Bytes> {
  return openBytes(wrapper, key instanceof Uint8Array ? await importPrivateKey(key, 'SHA-1') : key);
}
