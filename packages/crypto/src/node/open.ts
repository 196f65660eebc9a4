import { isUtf8 } from 'node:buffer';
import { constants, createDecipheriv, createSecretKey, type KeyObject, privateDecrypt } from 'node:crypto';
import { CryptoError } from '../errors.ts';
import type { OaepHash } from '../keys.ts';
import { IV_BYTES, readMembers, TAG_BYTES, WRAPPED_KEY_BYTES, type Wrapper } from '../wrapper.ts';

/**
 * Opens a wrapper on the calling thread, for servers and worker threads that open many (wire 2.3).
 *
 * @param key from `privateKeyObject`
 * @param oaepHash SHA-1 for the account-key envelope alone (wire 6.4)
 * @throws CryptoError `wrapper_malformed` for a wrong shape or a plaintext that is no UTF-8, `wrapper_tampered` for a
 * wrong key or altered ciphertext
 */
export function openTextSync(wrapper: Wrapper | string, key: KeyObject, oaepHash?: OaepHash): string {
  const plaintext = open(wrapper, key, oaepHash);
  if (!isUtf8(plaintext)) throw new CryptoError('wrapper_malformed', 'The wrapper holds no UTF-8 text.');
  return plaintext.toString('utf8');
}

/** As {@link openTextSync}, for bytes. */
export function openBytesSync(
  wrapper: Wrapper | string,
  key: KeyObject,
  oaepHash?: OaepHash,
): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, length } = open(wrapper, key, oaepHash);
  return new Uint8Array(buffer, byteOffset, length);
}

function open(
  wrapper: Wrapper | string,
  key: KeyObject,
  oaepHash: OaepHash = 'SHA-256',
): Buffer<ArrayBuffer> {
  const members = readMembers(wrapper);
  const wrappedKey = decode(members.k);
  const iv = decode(members.iv);
  const data = decode(members.d);
  if (wrappedKey.length !== WRAPPED_KEY_BYTES || iv.length !== IV_BYTES || data.length < TAG_BYTES) {
    throw new CryptoError('wrapper_malformed');
  }
  const tagAt = data.length - TAG_BYTES;
  try {
    const aesKey = createSecretKey(unwrapKey(wrappedKey, key, oaepHash));
    const decipher = createDecipheriv('aes-256-gcm', aesKey, iv, TAG_OPTIONS);
    decipher.setAuthTag(data.subarray(tagAt));
    const plaintext = decipher.update(data.subarray(0, tagAt));
    decipher.final();
    return plaintext;
  } catch {
    throw new CryptoError('wrapper_tampered');
  }
}

/**
 * Node finds out by two exceptions, which it catches itself, that its first argument is an object of options and not a
 * key: 20 µs of the 270 that a value takes. It reads the options from a key as well, and keys of `privateKeyObject`
 * carry theirs. Another Node, or a key without options, takes the second attempt.
 */
function unwrapKey(wrappedKey: Buffer, key: KeyObject, oaepHash: OaepHash): Buffer {
  if (oaepHash === 'SHA-256') {
    try {
      return privateDecrypt(key, wrappedKey);
    } catch {}
  }
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  return privateDecrypt({ key, padding, oaepHash: NODE_NAMES[oaepHash] }, wrappedKey);
}

/** Encoding again is the cheapest complete check: Node's decoder takes anything, its encoder knows one form. */
function decode(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64') !== base64) throw new CryptoError('wrapper_malformed');
  return bytes;
}

const TAG_OPTIONS = { authTagLength: TAG_BYTES };
const NODE_NAMES = { 'SHA-256': 'sha256', 'SHA-1': 'sha1' } as const;
