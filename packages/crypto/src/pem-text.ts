import { decodeBase64, encodeBase64 } from './base64.ts';
import type { Bytes } from './bytes.ts';
import { CryptoError } from './errors.ts';
import { type Pbes2, readPbes2, writePbes2 } from './pbes2.ts';

/** PEM with 64 characters a line and a final line break (RFC 7468 section 11). */
export function writeEncryptedPem(parameters: Pbes2): string {
  const lines = encodeBase64(writePbes2(parameters)).match(/.{1,64}/g) ?? [];
  return `${[BEGIN, ...lines, END].join('\n')}\n`;
}

/** Lenient in white space (RFC 7468 section 2), strict in everything else; throws `pem_malformed`. */
export function readEncryptedPem(pem: string): Pbes2 {
  const text = pem.trim();
  try {
    if (!text.startsWith(BEGIN) || !text.endsWith(END)) throw new CryptoError('pem_malformed');
    return readPbes2(decodeBody(text.slice(BEGIN.length, -END.length)));
  } catch {
    throw new CryptoError('pem_malformed');
  }
}

function decodeBody(body: string): Bytes {
  return decodeBase64(body.replace(/\s+/g, ''));
}

const BEGIN = '-----BEGIN ENCRYPTED PRIVATE KEY-----';
const END = '-----END ENCRYPTED PRIVATE KEY-----';
