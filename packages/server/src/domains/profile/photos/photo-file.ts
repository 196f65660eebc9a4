import { limits } from '@symbolon/protocol';
import { decodeFile } from '../../../core/base64.ts';
import { PlatformError } from '../../../core/errors.ts';
import { mediaTypeOf } from './image.ts';

const HEAD_MOST = 512;
/** Characters of base64 that a file of the most bytes takes, and the beginning of a data URI. */
const TEXT_MOST = Math.ceil(limits.fileBytes / 3) * 4 + HEAD_MOST;
/** A base64 data URI with an explicit media type, up to its bytes (RFC 2397). */
const HEAD = /^data:([\w!#$&^.+-]+\/[\w!#$&^.+-]+)(?:;[^;,]+)*;base64,/i;

/**
 * The bytes of an uploaded image: a data URI, which must say what they are, or base64 alone.
 * @throws {PlatformError} photos.file_invalid, photos.bad_mime, photos.too_large
 */
export async function readPhotoFile(text: string): Promise<Buffer> {
  if (text.length > TEXT_MOST) throw new PlatformError('photos.too_large');
  const [head = '', declared] = HEAD.exec(text.slice(0, HEAD_MOST)) ?? [];
  const bytes = await decodeFile(text.slice(head.length));
  if (bytes === undefined) throw new PlatformError('photos.file_invalid');
  if (bytes.length > limits.fileBytes) throw new PlatformError('photos.too_large');
  const found = mediaTypeOf(bytes);
  if (found === undefined || (declared !== undefined && declared.toLowerCase() !== found)) {
    throw new PlatformError('photos.bad_mime');
  }
  return bytes;
}
