import { asBytes, type Bytes, encodeUtf8 } from './bytes.ts';

/** 32 bytes by HKDF-SHA-256 (RFC 5869) from a secret that is random already and so needs no salt. */
export async function expandHkdf(secret: Uint8Array, info: string): Promise<Bytes> {
  const { subtle } = globalThis.crypto;
  const key = await subtle.importKey('raw', asBytes(secret), 'HKDF', false, ['deriveBits']);
  const algorithm = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encodeUtf8(info) };
  return new Uint8Array(await subtle.deriveBits(algorithm, key, 256));
}
