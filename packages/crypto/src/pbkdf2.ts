import { asBytes, type Bytes, encodeUtf8 } from './bytes.ts';

/** PBKDF2 (RFC 8018 section 5.2) over the UTF-8 of a passphrase. `length` in bytes. */
export async function derivePbkdf2(
  passphrase: string,
  parameters: { hash: string; salt: Uint8Array; iterations: number; length: number },
): Promise<Bytes> {
  const { subtle } = globalThis.crypto;
  const { hash, iterations, length } = parameters;
  const secret = await subtle.importKey('raw', encodeUtf8(passphrase), 'PBKDF2', false, ['deriveBits']);
  const algorithm = { name: 'PBKDF2', hash, salt: asBytes(parameters.salt), iterations };
  return new Uint8Array(await subtle.deriveBits(algorithm, secret, length * 8));
}
