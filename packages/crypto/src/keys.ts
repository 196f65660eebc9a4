import { decodeBase64, encodeBase64 } from './base64.ts';
import { asBytes, type Bytes } from './bytes.ts';
import type { CryptoKey } from './crypto-key.ts';
import { CryptoError } from './errors.ts';
import { encodeHex } from './hex.ts';
import { isRsa2048Spki } from './spki.ts';

/** The digest of RSA-OAEP and of its MGF1. SHA-1 exists only for the account-key envelope (wire 6.4). */
export type OaepHash = 'SHA-256' | 'SHA-1';

export type KeyPair = {
  /** Base64 of the DER SubjectPublicKeyInfo. */
  publicKey: string;
  /** PKCS#8 DER, not encrypted. */
  privateKey: Bytes;
};

/** A fresh RSA-2048 key pair with exponent 65537 (wire 2.2). */
export async function generateKeyPair(): Promise<KeyPair> {
  const { subtle } = globalThis.crypto;
  const publicExponent = new Uint8Array([1, 0, 1]);
  const algorithm = { name: 'RSA-OAEP', modulusLength: 2048, publicExponent, hash: 'SHA-256' };
  const pair = await subtle.generateKey(algorithm, true, ['encrypt', 'decrypt']);
  const [spki, pkcs8] = await Promise.all([
    subtle.exportKey('spki', pair.publicKey),
    subtle.exportKey('pkcs8', pair.privateKey),
  ]);
  return { publicKey: encodeBase64(new Uint8Array(spki)), privateKey: new Uint8Array(pkcs8) };
}

/**
 * Imports a public key for sealing with a fixed OAEP digest, SHA-256 by default.
 *
 * @param base64Spki base64 of the DER SubjectPublicKeyInfo
 * @throws CryptoError `key_invalid` for anything {@link checkPublicKey} refuses
 */
export async function importPublicKey(
  base64Spki: string,
  oaepHash: OaepHash = 'SHA-256',
): Promise<CryptoKey> {
  const der = decodePublicKey(base64Spki);
  try {
    const algorithm = { name: 'RSA-OAEP', hash: oaepHash };
    return await globalThis.crypto.subtle.importKey('spki', der, algorithm, true, ['encrypt']);
  } catch {
    throw new CryptoError('key_invalid');
  }
}

/**
 * Imports a private key for opening with a fixed OAEP digest, SHA-256 by default. It cannot be exported.
 *
 * @param pkcs8 PKCS#8 DER, not encrypted
 * @throws CryptoError `key_invalid` unless it is RSA with exactly 2048 bits
 */
export async function importPrivateKey(
  pkcs8: Uint8Array,
  oaepHash: OaepHash = 'SHA-256',
): Promise<CryptoKey> {
  const algorithm = { name: 'RSA-OAEP', hash: oaepHash };
  const key = await globalThis.crypto.subtle
    .importKey('pkcs8', asBytes(pkcs8), algorithm, false, ['decrypt'])
    .catch(() => undefined);
  if (!key || (key.algorithm as RsaHashedKeyAlgorithm).modulusLength !== 2048) {
    throw new CryptoError('key_invalid');
  }
  return key;
}

/**
 * The public key of a private one, as base64 SPKI. A device computes its own public key, and does not take it from the
 * server.
 *
 * @param pkcs8 PKCS#8 DER, not encrypted
 * @throws CryptoError `key_invalid`
 */
export async function derivePublicKey(pkcs8: Uint8Array): Promise<string> {
  const { subtle } = globalThis.crypto;
  const algorithm = { name: 'RSA-OAEP', hash: 'SHA-256' };
  try {
    const key = await subtle.importKey('pkcs8', asBytes(pkcs8), algorithm, true, ['decrypt']);
    const { kty = '', n = '', e = '' } = await subtle.exportKey('jwk', key);
    const half = await subtle.importKey('jwk', { kty, n, e }, algorithm, true, ['encrypt']);
    return encodeBase64(new Uint8Array(await subtle.exportKey('spki', half)));
  } catch {
    throw new CryptoError('key_invalid');
  }
}

/**
 * Accepts only base64 of the DER of an RSA key with exactly 2048 bits and exponent 65537, without trailing bytes
 * (wire 2.2).
 *
 * @throws CryptoError `key_invalid`
 */
export async function checkPublicKey(base64Spki: string): Promise<void> {
  decodePublicKey(base64Spki);
}

/**
 * Lower-case hex SHA-256 of the DER bytes.
 *
 * @throws CryptoError `base64_invalid`
 */
export async function fingerprint(base64Spki: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', decodeBase64(base64Spki));
  return encodeHex(new Uint8Array(digest));
}

/**
 * The DER of a key that {@link checkPublicKey} accepts.
 *
 * @throws CryptoError `key_invalid`
 */
export function decodePublicKey(base64Spki: string): Bytes {
  let der: Bytes;
  try {
    der = decodeBase64(base64Spki);
  } catch {
    throw new CryptoError('key_invalid');
  }
  if (!isRsa2048Spki(der)) throw new CryptoError('key_invalid');
  return der;
}
