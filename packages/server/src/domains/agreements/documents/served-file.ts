import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { base64Pieces } from '../../../core/base64.ts';
import type { StoredBlob } from '../../../core/blobs.ts';
import type { StoredFile } from '../../../core/stored-file.ts';
import { sendLarge } from '../../../http/large-answer.ts';
import type { Blobs } from '../../operations/index.ts';
import { servedType } from './plain-file.ts';

/** Answers with a sealed copy: `{encrypted: true, value}`, the value an object. */
export function sendSealed(reply: FastifyReply, blobs: Blobs, { hash }: StoredFile): Promise<Readable> {
  const open = () => blobs.open(hash);
  return sendLarge(reply, { encrypted: true }, ['value', { open, form: 'wrapper' }]);
}

/** Answers with a file as it is. */
export async function sendRaw(
  reply: FastifyReply,
  blobs: Blobs,
  { hash, type = 'application/octet-stream' }: StoredFile,
): Promise<Readable> {
  const { bytes, stream } = await blobs.open(hash);
  reply.type(servedType(type)).headers({
    'content-length': bytes,
    // It came from another party: a browser stores it, and shows it in no page of the platform.
    'content-disposition': 'attachment',
    'x-content-type-options': 'nosniff',
  });
  return stream;
}

/** Answers with the envelope of a file: its data URI, name, type and size. */
export function sendEnvelope(
  reply: FastifyReply,
  blobs: Blobs,
  { hash, bytes, type = 'application/octet-stream' }: StoredFile,
  name: string,
): Promise<Readable> {
  const open = async () => asDataUri(await blobs.open(hash), type);
  const members = { original_name: name, mime_type: type, size: bytes };
  return sendLarge(reply, members, ['file', { open, form: 'text' }]);
}

function asDataUri({ bytes, stream }: StoredBlob, type: string): StoredBlob {
  const head = `data:${type};base64,`;
  return {
    bytes: head.length + Math.ceil(bytes / 3) * 4,
    stream: Readable.from(encoded(head, stream), { objectMode: false }),
  };
}

async function* encoded(head: string, stream: Readable): AsyncGenerator<Buffer> {
  yield Buffer.from(head);
  yield* base64Pieces(stream as AsyncIterable<Buffer>);
}
