import type { Cipher, Prf } from './pbes2.ts';
import { readEncryptedPem } from './pem-text.ts';

export type PemInspection = { cipher: Cipher; kdf: 'PBKDF2'; prf: Prf; iterations: number };

/**
 * How an encrypted private key is protected, read without its passphrase.
 *
 * @throws CryptoError `pem_malformed` for anything but one encrypted PKCS#8 PEM under PBES2, PBKDF2 and AES-CBC
 */
export function inspectPem(pem: string): PemInspection {
  const { cipher, prf, iterations } = readEncryptedPem(pem);
  return { cipher, kdf: 'PBKDF2', prf, iterations };
}
