import { constants, inflateSync } from 'node:zlib';
import { bufferOf } from '../buffer.ts';
import { PdfError } from '../errors.ts';

/** What one stream of objects or cross-references, and all of them, may expand to, in bytes. */
const LARGEST_STREAM = 64 << 20;
const LARGEST_SUM = 2 * LARGEST_STREAM;
/** How far before its data a stream's dictionary is looked at, in bytes. */
const DICTIONARY = 1024;

const STREAM = Buffer.from('stream', 'latin1');
/** What a stream's dictionary says when reading the file's structure inflates it. A `#` may hide such a word. */
const STRUCTURE = /ObjStm|XRef|#|\/W\s*\[/;

/**
 * Refuses a file whose structure expands too far, before anything parses it: a reader inflates the streams of
 * objects and of cross-references whole, other streams stay as they are. A file that hides such data behind another filter
 * is not seen here; the limits of the process that reads hold for those.
 * @throws {PdfError} expands_too_far
 */
export function checkExpansion(bytes: Uint8Array): void {
  const file = bufferOf(bytes);
  let left = LARGEST_SUM;
  for (let at = file.indexOf(STREAM); at !== -1; at = file.indexOf(STREAM, at + STREAM.length)) {
    const start = dataStart(file, at + STREAM.length);
    if (!startsZlib(file, start)) continue;
    if (!STRUCTURE.test(file.toString('latin1', Math.max(0, at - DICTIONARY), at))) continue;
    left -= inflatedLength(file.subarray(start), Math.min(left, LARGEST_STREAM));
  }
}

/** The data begins after one end of line. */
function dataStart(file: Buffer, at: number): number {
  const carriage = file[at] === 0x0d ? at + 1 : at;
  return file[carriage] === 0x0a ? carriage + 1 : carriage;
}

/** Deflate with a window of any size, and a header that is a multiple of 31 (RFC 1950). */
function startsZlib(file: Buffer, at: number): boolean {
  const method = file[at] ?? 0;
  const flags = file[at + 1] ?? 0;
  return (method & 0x0f) === 8 && method >> 4 <= 7 && (method * 256 + flags) % 31 === 0;
}

function inflatedLength(data: Buffer, most: number): number {
  try {
    return inflateSync(data, { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH }).length;
  } catch (error) {
    if (error instanceof RangeError) throw new PdfError('expands_too_far', { cause: error });
    return 0; // Not deflate after all, or damaged: the reader says so.
  }
}
