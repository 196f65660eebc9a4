import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto';
import { decodeBase64 } from '../base64.ts';
import { CryptoError } from '../errors.ts';
import { decodePublicKey } from '../keys.ts';

/**
 * A private key for the synchronous functions.
 *
 * @param pkcs8 PKCS#8 DER, not encrypted
 * @throws CryptoError `key_invalid` unless it is RSA with exactly 2048 bits
 */
export function privateKeyObject(pkcs8: Uint8Array): KeyObject {
  const key = createKey(() => createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' }));
  if (key.asymmetricKeyType !== 'rsa' || key.asymmetricKeyDetails?.modulusLength !== 2048) {
    throw new CryptoError('key_invalid');
  }
  return Object.assign(key, { oaepHash: 'sha256' });
}

/**
 * A public key for the synchronous functions, checked as `checkPublicKey` does.
 *
 * @param base64Spki base64 of the DER SubjectPublicKeyInfo
 * @throws CryptoError `key_invalid`
 */
export function publicKeyObject(base64Spki: string): KeyObject {
  const der = Buffer.from(decodePublicKey(base64Spki));
  return createKey(() => createPublicKey({ key: der, format: 'der', type: 'spki' }));
}

/** Lower-case hex SHA-256 of the DER bytes. Throws `base64_invalid`. */
export function fingerprintSync(base64Spki: string): string {
  return hash('sha256', decodeBase64(base64Spki), 'hex');
}

function createKey(create: () => KeyObject): KeyObject {
  try {
    return create();
  } catch {
    throw new CryptoError('key_invalid');
  }
}
