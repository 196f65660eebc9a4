import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A document as it is sent, made once. */
export interface KeptDocument {
  readonly etag: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** Of ten levels: nearly as small as the smallest, in a twentieth of the time. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };
const made = new WeakMap<object, Promise<KeptDocument>>();

/** The document as JSON and compressed; the same object is made into it once. */
export function keptDocument(document: object): Promise<KeptDocument> {
  const known = made.get(document);
  if (known !== undefined) return known;
  const making = make(document);
  made.set(document, making);
  return making;
}

async function make(document: object): Promise<KeptDocument> {
  const plain = Buffer.from(JSON.stringify(document));
  const [br, zipped] = await Promise.all([promisify(brotliCompress)(plain, QUALITY), promisify(gzip)(plain)]);
  return { etag: `"${createHash('sha256').update(plain).digest('base64url')}"`, plain, br, gzip: zipped };
}
