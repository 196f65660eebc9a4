import { constants, inflateSync } from 'node:zlib';
import { type PDF, PdfArray, PdfName, type PdfObject, PdfStream } from '@libpdf/core';
import { PdfError } from '../errors.ts';
import { type Page, resolve } from './page-tree.ts';

/** What the content of one page may expand to, in bytes. */
const LARGEST = 64 << 20;
/** Deflate makes no data larger than this many times. */
const DEFLATE_MOST = 1032;

/**
 * Refuses pages whose content would take a reader's whole memory. What cannot expand that far is not inflated here.
 * @throws {PdfError} expands_too_far
 */
export function checkContents(pdf: PDF, pages: readonly Page[]): void {
  const checked = new Set<PdfStream>();
  for (const { dict } of pages) {
    const contents = resolve(pdf, dict.get('Contents'));
    const parts = contents instanceof PdfArray ? contents.toArray() : [contents];
    let left = LARGEST;
    for (const part of parts) {
      const stream = resolve(pdf, part);
      if (!(stream instanceof PdfStream) || checked.has(stream)) continue;
      checked.add(stream);
      left -= expandedLength(pdf, stream, left);
    }
  }
}

function expandedLength(pdf: PDF, stream: PdfStream, most: number): number {
  let data = stream.data;
  const filters = filtersOf(pdf, stream.get('Filter'));
  for (const [index, filter] of filters.entries()) {
    if (filter !== 'FlateDecode' && filter !== 'Fl') return data.length;
    if (index === filters.length - 1 && data.length * DEFLATE_MOST <= most) return data.length;
    try {
      data = inflateSync(data, { maxOutputLength: Math.max(most, 1), finishFlush: constants.Z_SYNC_FLUSH });
    } catch (cause) {
      if (cause instanceof RangeError) throw new PdfError('expands_too_far', { cause });
      return data.length; // Readers show what they can of it.
    }
  }
  return data.length;
}

function filtersOf(pdf: PDF, value: PdfObject | undefined): (string | undefined)[] {
  const filter = resolve(pdf, value);
  const all = filter instanceof PdfArray ? filter.toArray() : filter ? [filter] : [];
  return all.map((one) => {
    const name = resolve(pdf, one);
    return name instanceof PdfName ? name.value : undefined;
  });
}
