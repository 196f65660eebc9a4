import type { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { StoredBlob } from '../core/blobs.ts';
import type { StoredFile } from '../core/stored-file.ts';
import { sendLarge } from './large-answer.ts';

/**
 * Sends a file in one of its three shapes (wire 4.3): `{encrypted: true, value}` with a wrapper, `{encrypted: false, value}`
 * with an envelope in plaintext, or its own bytes. The hash of the value or of the bytes is in a header.
 * @param headerName the word of the platform in names of headers
 */
export async function sendFile(
  reply: FastifyReply,
  headerName: string,
  file: StoredFile,
  open: () => Promise<StoredBlob>,
): Promise<Readable> {
  reply.header(digestHeader(headerName), file.hash);
  if (file.form !== 'raw') {
    const isSealed = file.form === 'sealed';
    return sendLarge(reply, { encrypted: isSealed }, [
      'value',
      { open, form: isSealed ? 'wrapper_text' : 'text' },
    ]);
  }
  const { bytes, stream } = await open();
  reply.headers({
    'content-length': bytes,
    'content-disposition': 'attachment',
    // A browser must never run what a person has uploaded.
    'content-security-policy': "default-src 'none'; sandbox",
  });
  reply.type(file.type ?? 'application/octet-stream');
  return stream;
}

export function digestHeader(headerName: string): string {
  return `x-${headerName}-content-sha256`.toLowerCase();
}
