import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { limits } from '@symbolon/protocol';
import { PlatformError } from '../../../core/errors.ts';
import type { LargeText } from '../../../core/large-text.ts';
import { decoded } from '../documents/plain-file.ts';

/** Bytes that are decoded in one turn of the event loop. */
const TURN = 128 * 1024;
/** Readers of PDF files look for the header in so many first bytes. */
const HEADER_WITHIN = 1024;

/**
 * The file that an act carries, in memory alone. Its text is let go of.
 * @throws {PlatformError} documents.invalid_payload, documents.too_large, documents.content_mismatch
 */
export async function plainFileOf(text: LargeText, sha256: string): Promise<Buffer> {
  // Base64 has four characters for three bytes.
  if (text.bytes > Math.ceil(limits.fileBytes / 3) * 4) throw new PlatformError('documents.too_large');
  const file = Buffer.allocUnsafe(Math.ceil(text.bytes / 4) * 3);
  const hash = createHash('sha256');
  let size = 0;
  let turn = 0;
  for await (const piece of decoded(text.open())) {
    file.set(piece, size);
    size += piece.length;
    hash.update(piece);
    turn += piece.length;
    if (turn < TURN) continue;
    turn = 0;
    await setImmediate();
  }
  await text.discard();
  if (hash.digest('hex') !== sha256) throw new PlatformError('documents.content_mismatch');
  return file.subarray(0, size);
}

/** Whether bytes are meant to be a PDF file. */
export const isPdf = (file: Buffer): boolean =>
  file.subarray(0, HEADER_WITHIN).includes('%PDF-', 0, 'latin1');
