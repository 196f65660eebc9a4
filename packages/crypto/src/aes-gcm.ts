import { asBytes, type Bytes, randomBytes } from './bytes.ts';
import type { CryptoKey } from './crypto-key.ts';
import { CryptoError, type CryptoErrorCode } from './errors.ts';

/**
 * AES-256-GCM under a fresh random 12-byte nonce; `data` is the ciphertext and its 16-byte tag.
 *
 * @param additionalData authenticated with the ciphertext, not contained in it
 */
export async function sealGcm(
  plaintext: Uint8Array,
  key: CryptoKey,
  additionalData: Uint8Array = NONE,
): Promise<{ iv: Bytes; data: Bytes }> {
  const iv = randomBytes(12);
  const algorithm = { name: 'AES-GCM', iv, additionalData: asBytes(additionalData) };
  const sealed = await globalThis.crypto.subtle.encrypt(algorithm, key, asBytes(plaintext));
  return { iv, data: new Uint8Array(sealed) };
}

/** Inverse of {@link sealGcm}; a failed tag check throws a `CryptoError` with the given code. */
export async function openGcm(
  sealed: { iv: Uint8Array; data: Uint8Array },
  key: CryptoKey,
  failure: CryptoErrorCode,
  additionalData: Uint8Array = NONE,
): Promise<Bytes> {
  try {
    const algorithm = { name: 'AES-GCM', iv: asBytes(sealed.iv), additionalData: asBytes(additionalData) };
    return new Uint8Array(await globalThis.crypto.subtle.decrypt(algorithm, key, asBytes(sealed.data)));
  } catch {
    throw new CryptoError(failure);
  }
}

/** A key that cannot be exported, for {@link sealGcm} and {@link openGcm}. */
export async function importGcmKey(raw: Uint8Array): Promise<CryptoKey> {
  const usages: KeyUsage[] = ['encrypt', 'decrypt'];
  return globalThis.crypto.subtle.importKey('raw', asBytes(raw), 'AES-GCM', false, usages);
}

const NONE = new Uint8Array();
