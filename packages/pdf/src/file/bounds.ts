import { PdfError } from '../errors.ts';
import { latin1Of } from '../latin1.ts';
import { inflatedLength } from './inflate-anywhere.ts';

/** What one stream of objects or cross-references may expand to, and what all of them may cost: the bytes read and made of them. */
const LARGEST_STREAM = 64 << 20;
const LARGEST_SUM = 2 * LARGEST_STREAM;
/** How far before its data a stream's dictionary is looked at, in bytes. */
export const DICTIONARY = 1024;
/** What looking at a stream costs in any case. */
const LEAST = 16 << 10;

const STREAM = 'stream';
/** What a stream's dictionary says when reading the file's structure inflates it. A `#` may hide such a word. */
const STRUCTURE = /ObjStm|XRef|#|\/W\s*\[/;

/**
 * Refuses a file whose structure expands too far, before anything parses it: a reader inflates the streams of
 * objects and of cross-references whole, other streams stay as they are. A file that hides such data behind another filter
 * is not seen here; the limits of the process that reads hold for those. Works in browsers too.
 * @throws {PdfError} expands_too_far
 */
export function checkExpansion(bytes: Uint8Array): void {
  const text = latin1Of(bytes);
  let left = LARGEST_SUM;
  for (let at = text.indexOf(STREAM); at !== -1; at = text.indexOf(STREAM, at + STREAM.length)) {
    const start = dataStart(bytes, at + STREAM.length);
    if (!startsZlib(bytes, start)) continue;
    if (!STRUCTURE.test(text.slice(Math.max(0, at - DICTIONARY), at))) continue;
    left -= costOf(bytes.subarray(start), Math.min(left, LARGEST_STREAM));
    if (left < 0) throw new PdfError('expands_too_far');
  }
}

/** The data begins after one end of line. */
function dataStart(file: Uint8Array, at: number): number {
  const carriage = file[at] === 0x0d ? at + 1 : at;
  return file[carriage] === 0x0a ? carriage + 1 : carriage;
}

/** Deflate with a window of any size, and a header that is a multiple of 31 (RFC 1950). */
function startsZlib(file: Uint8Array, at: number): boolean {
  const method = file[at] ?? 0;
  const flags = file[at + 1] ?? 0;
  return (method & 0x0f) === 8 && method >> 4 <= 7 && (method * 256 + flags) % 31 === 0;
}

/** Data that are not deflate after all, or damaged, cost what was read until then: the reader says so. */
function costOf(data: Uint8Array, most: number): number {
  try {
    const { read, made } = inflatedLength(data, most);
    return Math.max(LEAST, read + made);
  } catch (cause) {
    throw new PdfError('expands_too_far', { cause });
  }
}
