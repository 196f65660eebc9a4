import { importGcmKey, openGcm, sealGcm } from './aes-gcm.ts';
import { base64Length, decodeBase64, encodeBase64 } from './base64.ts';
import { asBytes, decodeUtf8, encodeUtf8 } from './bytes.ts';
import type { CryptoKey } from './crypto-key.ts';
import { CryptoError } from './errors.ts';
import { expandHkdf } from './hkdf.ts';

/** The pins of one account as the server keeps them. `iv` and `data` are base64. */
export type SealedPins = {
  /** Grows with every change. It is authenticated too. */
  counter: number;
  /** 12 bytes. */
  iv: string;
  /** The ciphertext followed by the 16-byte tag. */
  data: string;
};

/**
 * The key for the pins of an account, derived from its private key by HKDF-SHA-256. Pins are under this key and not sealed
 * to the public key, because anybody could make pins for a public key. It cannot be exported.
 *
 * @param pkcs8 PKCS#8 DER exactly as it was wrapped at registration
 */
export async function derivePinsKey(pkcs8: Uint8Array): Promise<CryptoKey> {
  return importGcmKey(await expandHkdf(asBytes(pkcs8), 'symbolon pins'));
}

/** Encrypts a list of pins; `counter` is one more than that of the list it replaces. */
export async function sealPins(text: string, counter: number, pinsKey: CryptoKey): Promise<SealedPins> {
  const { iv, data } = await sealGcm(encodeUtf8(text), pinsKey, boundTo(counter));
  return { counter, iv: encodeBase64(iv), data: encodeBase64(data) };
}

/**
 * Opens a list of pins.
 *
 * @param lastCounter the counter of the latest list that this device has seen
 * @throws CryptoError `pins_tampered`; `pins_outdated` for a list older than the latest seen
 */
export async function openPins(sealed: SealedPins, lastCounter: number, pinsKey: CryptoKey): Promise<string> {
  const { counter, iv, data } = sealed;
  if (!Number.isSafeInteger(counter) || base64Length(iv) !== 12 || (base64Length(data) ?? 0) < 16) {
    throw new CryptoError('pins_tampered');
  }
  const parts = { iv: decodeBase64(iv), data: decodeBase64(data) };
  const text = decodeUtf8(await openGcm(parts, pinsKey, 'pins_tampered', boundTo(counter)));
  if (text === undefined) throw new CryptoError('pins_tampered');
  if (counter < lastCounter) throw new CryptoError('pins_outdated');
  return text;
}

/** Additional data: the server cannot give an old list a new number. */
function boundTo(counter: number): Uint8Array {
  return encodeUtf8(`symbolon pins ${counter}`);
}
