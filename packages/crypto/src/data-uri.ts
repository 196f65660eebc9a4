import { base64Length, decodeBase64, encodeBase64 } from './base64.ts';
import type { Bytes } from './bytes.ts';
import { CryptoError } from './errors.ts';

export type DataUri = { mimeType: string; bytes: Bytes };

/**
 * `data:<media type>;base64,<bytes>` (RFC 2397).
 *
 * @throws CryptoError `envelope_malformed` for an invalid media type
 */
export function buildDataUri(file: { mimeType: string; bytes: Uint8Array }): string {
  if (!MIME_TYPE.test(file.mimeType)) {
    throw new CryptoError('envelope_malformed', 'The media type is not of the form type/subtype.');
  }
  return `data:${file.mimeType};base64,${encodeBase64(file.bytes)}`;
}

/**
 * Takes base64 data URIs with an explicit media type; its parameters (`;charset=utf-8`) stay part of it.
 *
 * @throws CryptoError `envelope_malformed`
 */
export function parseDataUri(text: string): DataUri {
  const { mimeType, base64 } = splitDataUri(text);
  return { mimeType, bytes: decodeBase64(base64) };
}

/** Checks a data URI completely, but decodes nothing yet; `size` in bytes. */
export function splitDataUri(text: string): { mimeType: string; base64: string; size: number } {
  const comma = text.slice(0, MAX_HEAD).indexOf(',');
  const [, mimeType] = HEAD.exec(text.slice(0, Math.max(comma, 0))) ?? [];
  const base64 = text.slice(comma + 1);
  const size = base64Length(base64);
  if (mimeType === undefined || !MIME_TYPE.test(mimeType) || size === undefined) {
    throw new CryptoError('envelope_malformed', 'The text is not a base64 data URI.');
  }
  return { mimeType, base64, size };
}

const MAX_HEAD = 512;
const HEAD = /^data:(.*);base64$/i;
// type "/" subtype, then parameters with token values (RFC 9110 section 8.3.1)
const MIME_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:; ?[\w!#$&^.+-]+=[\w!#$&^.+-]+)*$/;
