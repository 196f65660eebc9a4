import { openGcm, sealGcm } from './aes-gcm.ts';
import { base64Length, decodeBase64, encodeBase64 } from './base64.ts';
import type { Bytes } from './bytes.ts';
import type { CryptoKey } from './crypto-key.ts';
import { CryptoError } from './errors.ts';

/** A person's private key under a wrap key: AES-256-GCM, both members base64. */
export type WrappedPrivateKey = {
  /** 12 bytes. */
  iv: string;
  /** The ciphertext followed by the 16-byte tag. */
  data: string;
};

/**
 * Wraps a private key, so that it may leave the device.
 *
 * @param pkcs8 PKCS#8 DER, not encrypted
 * @param wrapKey from `deriveLoginKeys` or `deriveRecoveryKeys`
 */
export async function wrapPrivateKey(pkcs8: Uint8Array, wrapKey: CryptoKey): Promise<WrappedPrivateKey> {
  const { iv, data } = await sealGcm(pkcs8, wrapKey);
  return { iv: encodeBase64(iv), data: encodeBase64(data) };
}

/**
 * The PKCS#8 DER.
 *
 * @throws CryptoError `encrypted_key_malformed`, `passphrase_wrong` (altered data gives the same error)
 */
export async function unwrapPrivateKey(wrapped: WrappedPrivateKey, wrapKey: CryptoKey): Promise<Bytes> {
  const { iv, data } = wrapped;
  if (base64Length(iv) !== 12 || (base64Length(data) ?? 0) < 16) {
    throw new CryptoError('encrypted_key_malformed');
  }
  return openGcm({ iv: decodeBase64(iv), data: decodeBase64(data) }, wrapKey, 'passphrase_wrong');
}
