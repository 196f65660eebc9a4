import { createHash } from 'node:crypto';
import { compressed } from '../../../http/compress.ts';

/** A document as it is sent, made once. */
export interface KeptDocument {
  readonly etag: string;
  readonly plain: Buffer;
  readonly br: Buffer;
  readonly gzip: Buffer;
}

/** Of ten levels: nearly as small as the smallest, in a twentieth of the time. */
const LEVEL = 6;
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
  const [br, zipped] = await Promise.all([compressed('br', plain, LEVEL), compressed('gzip', plain, LEVEL)]);
  return { etag: `"${createHash('sha256').update(plain).digest('base64url')}"`, plain, br, gzip: zipped };
}
