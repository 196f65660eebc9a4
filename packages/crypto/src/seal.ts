import { importGcmKey, openGcm, sealGcm } from './aes-gcm.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { type Bytes, decodeUtf8, randomBytes, textOrBytes } from './bytes.ts';
import type { CryptoKey } from './crypto-key.ts';
import { CryptoError } from './errors.ts';
import { importPublicKey, type OaepHash } from './keys.ts';
import { parseWrapper, type Wrapper } from './wrapper.ts';

export type SealOptions = {
  /** Default SHA-256. With a `CryptoKey` as recipient it must equal the digest the key was imported with. */
  oaepHash?: OaepHash;
};

/**
 * Seals a value for one recipient under a fresh AES-256 key and a fresh nonce (wire 2.3).
 *
 * @param plaintext text (sealed as UTF-8) or bytes
 * @param recipient base64 SPKI, or a key from `importPublicKey`, which saves the import when sealing many values
 * @throws CryptoError `key_invalid`
 */
export async function sealValue(
  plaintext: string | Uint8Array,
  recipient: CryptoKey | string,
  options: SealOptions = {},
): Promise<Wrapper> {
  const publicKey =
    typeof recipient === 'string' ? await importPublicKey(recipient, options.oaepHash) : recipient;
  checkOaepKey(publicKey, 'encrypt', options.oaepHash);
  const aesKey = randomBytes(32);
  const [wrappedKey, { iv, data }] = await Promise.all([
    globalThis.crypto.subtle.encrypt({ name: 'RSA-OAEP' }, publicKey, aesKey),
    importGcmKey(aesKey).then((key) => sealGcm(textOrBytes(plaintext), key)),
  ]);
  return {
    _enc: 1,
    k: encodeBase64(new Uint8Array(wrappedKey)),
    iv: encodeBase64(iv),
    d: encodeBase64(data),
  };
}

/**
 * Opens a wrapper (wire 2.3). The OAEP digest is the one the key was imported with.
 *
 * @throws CryptoError `wrapper_malformed` for a wrong shape, `wrapper_tampered` for a wrong key or altered
 * ciphertext, `key_invalid` for a key that is no RSA-OAEP private key of 2048 bits
 */
export async function openBytes(wrapper: Wrapper | string, privateKey: CryptoKey): Promise<Bytes> {
  checkOaepKey(privateKey, 'decrypt');
  const { k, iv, d } = parseWrapper(wrapper);
  const aesKey = await unwrapAesKey(decodeBase64(k), privateKey);
  return openGcm({ iv: decodeBase64(iv), data: decodeBase64(d) }, aesKey, 'wrapper_tampered');
}

/**
 * Opens a wrapper that holds text.
 *
 * @throws CryptoError as {@link openBytes}; `wrapper_malformed` too when the plaintext is no UTF-8
 */
export async function openText(wrapper: Wrapper | string, privateKey: CryptoKey): Promise<string> {
  const text = decodeUtf8(await openBytes(wrapper, privateKey));
  if (text === undefined) throw new CryptoError('wrapper_malformed', 'The wrapper holds no UTF-8 text.');
  return text;
}

async function unwrapAesKey(wrappedKey: Bytes, privateKey: CryptoKey): Promise<CryptoKey> {
  try {
    const aesKey = await globalThis.crypto.subtle.decrypt({ name: 'RSA-OAEP' }, privateKey, wrappedKey);
    if (aesKey.byteLength !== 32) throw new CryptoError('wrapper_tampered');
    return await importGcmKey(new Uint8Array(aesKey));
  } catch {
    throw new CryptoError('wrapper_tampered');
  }
}

function checkOaepKey(key: CryptoKey, usage: KeyUsage, oaepHash?: OaepHash): void {
  const { name, modulusLength, hash } = key.algorithm as RsaHashedKeyAlgorithm;
  const usable = name === 'RSA-OAEP' && modulusLength === 2048 && key.usages.includes(usage);
  if (!usable || (oaepHash !== undefined && hash.name !== oaepHash)) throw new CryptoError('key_invalid');
}
