import {
  constants,
  createCipheriv,
  createHash,
  createPublicKey,
  publicEncrypt,
  randomBytes,
} from 'node:crypto';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { base64Pieces } from '../../../core/base64.ts';
import type { LargeSource } from '../../../core/large-text.ts';

/** Bytes that are encoded and encrypted in one turn of the event loop: a multiple of three, for base64. */
const PIECE = 192 * 1024;
const PLACE = 'the file';

/** A PDF file in the place of what its parties had. */
export interface PlainPdf {
  readonly bytes: Uint8Array;
  readonly name: string;
}

/**
 * The text of a wrapper (wire 2.3) around the envelope of a PDF file, for one recipient. It is encrypted again, with the same
 * key and nonce and to the same bytes, each time that it is read: the ciphertext is never in memory as a whole.
 * @param publicKey base64 SPKI
 */
export async function sealedCopy(pdf: PlainPdf, publicKey: string): Promise<LargeSource> {
  const key = randomBytes(32);
  const iv = randomBytes(12);
  const wrapped = publicEncrypt(
    {
      key: createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' }),
      padding: constants.RSA_PKCS1_OAEP_PADDING,
      oaepHash: 'sha256',
    },
    key,
  );
  const head = `{"_enc":1,"k":"${wrapped.toString('base64')}","iv":"${iv.toString('base64')}","d":"`;
  const open = () => Readable.from(wrapperText(head, pdf, { key, iv }), { objectMode: false });
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of open()) {
    bytes += (piece as Buffer).length;
    hash.update(piece as Buffer);
  }
  return { bytes, sha256: hash.digest('hex'), open };
}

interface CopyKey {
  readonly key: Buffer;
  readonly iv: Buffer;
}

async function* wrapperText(head: string, pdf: PlainPdf, copyKey: CopyKey): AsyncGenerator<Buffer> {
  yield Buffer.from(head);
  yield* base64Pieces(encrypted(pdf, copyKey));
  yield Buffer.from('"}');
}

async function* encrypted(pdf: PlainPdf, { key, iv }: CopyKey): AsyncGenerator<Buffer> {
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  for (const piece of envelope(pdf)) {
    yield cipher.update(piece);
    // So that others are answered in between.
    await setImmediate();
  }
  yield Buffer.concat([cipher.final(), cipher.getAuthTag()]);
}

/** The text that `buildFileEnvelope` would make, in pieces. */
function* envelope({ bytes, name }: PlainPdf): Generator<Buffer> {
  const text = JSON.stringify({
    file: PLACE,
    original_name: name,
    mime_type: 'application/pdf',
    size: bytes.length,
  });
  const at = text.indexOf(PLACE);
  yield Buffer.from(`${text.slice(0, at)}data:application/pdf;base64,`);
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let start = 0; start < view.length; start += PIECE)
    yield Buffer.from(view.toString('base64', start, Math.min(start + PIECE, view.length)));
  yield Buffer.from(text.slice(at + PLACE.length));
}
