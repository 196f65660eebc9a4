import { constants, createCipheriv, type KeyObject, publicEncrypt, randomBytes } from 'node:crypto';
import type { OaepHash } from '../keys.ts';
import { IV_BYTES, TAG_BYTES, type Wrapper } from '../wrapper.ts';
import { publicKeyObject } from './keys.ts';

/**
 * Seals a value on the calling thread (wire 2.3).
 *
 * @param plaintext text (sealed as UTF-8) or bytes
 * @param publicKey from `publicKeyObject`, or base64 SPKI
 * @param oaepHash SHA-1 for the account-key envelope alone (wire 6.4)
 * @throws CryptoError `key_invalid`
 */
export function sealTextSync(
  plaintext: string | Uint8Array,
  publicKey: KeyObject | string,
  oaepHash: OaepHash = 'SHA-256',
): Wrapper {
  const key = typeof publicKey === 'string' ? publicKeyObject(publicKey) : publicKey;
  const aesKey = randomBytes(32);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', aesKey, iv, { authTagLength: TAG_BYTES });
  const body = typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext);
  cipher.final();
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const wrappedKey = publicEncrypt({ key, padding, oaepHash: NODE_NAMES[oaepHash] }, aesKey);
  return {
    _enc: 1,
    k: wrappedKey.toString('base64'),
    iv: iv.toString('base64'),
    d: Buffer.concat([body, cipher.getAuthTag()]).toString('base64'),
  };
}

const NODE_NAMES = { 'SHA-256': 'sha256', 'SHA-1': 'sha1' } as const;
