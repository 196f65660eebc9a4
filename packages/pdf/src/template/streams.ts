import { constants, inflateSync } from 'node:zlib';
import { type PDF, PdfArray, PdfDict, PdfName, type PdfObject, PdfRef, PdfStream } from '@libpdf/core';
import { PdfError } from '../errors.ts';
import { type Page, resolve } from '../file/page-tree.ts';

/** What the content of one page may expand to, in bytes. Contracts have some kilobytes. */
const LARGEST = 32 << 20;

/** Content that operators are read from. */
export interface Content {
  readonly bytes: Uint8Array;
  readonly resources: PdfDict | undefined;
}

/** @throws {PdfError} expands_too_far, damaged */
export function pageContent(pdf: PDF, page: Page): Content {
  const contents = resolve(pdf, page.dict.get('Contents'));
  const parts =
    contents instanceof PdfArray ? contents.toArray().map((part) => resolve(pdf, part)) : [contents];
  let left = LARGEST;
  const pieces: Uint8Array[] = [];
  for (const part of parts) {
    if (!(part instanceof PdfStream)) continue;
    const piece = decoded(pdf, part, left);
    left -= piece.length;
    pieces.push(piece, NEW_LINE); // operators may stand in several parts, tokens may not
  }
  return { bytes: Buffer.concat(pieces), resources: resourcesOf(pdf, page.lineage) };
}

const NEW_LINE = Buffer.from('\n');

/** @throws {PdfError} expands_too_far, damaged */
export function formContent(pdf: PDF, form: PdfStream, around: PdfDict | undefined): Content {
  return { bytes: decoded(pdf, form, LARGEST), resources: dictOf(pdf, form.get('Resources')) ?? around };
}

export interface NamedObject {
  readonly ref: PdfRef;
  readonly stream: PdfStream;
}

/** The Form XObject of this name. */
export function formNamed(pdf: PDF, resources: PdfDict | undefined, name: string): NamedObject | undefined {
  const ref = dictOf(pdf, resources?.get('XObject'))?.get(name);
  const stream = resolve(pdf, ref);
  if (!(ref instanceof PdfRef) || !(stream instanceof PdfStream)) return undefined;
  return stream.getName('Subtype')?.value === 'Form' ? { ref, stream } : undefined;
}

export function resourcesOf(pdf: PDF, lineage: readonly PdfDict[]): PdfDict | undefined {
  for (const dict of lineage) {
    const found = dictOf(pdf, dict.get('Resources'));
    if (found) return found;
  }
  return undefined;
}

export function dictOf(pdf: PDF, value: PdfObject | undefined): PdfDict | undefined {
  const found = resolve(pdf, value);
  return found instanceof PdfDict ? found : undefined;
}

function decoded(pdf: PDF, stream: PdfStream, most: number): Uint8Array {
  const filter = resolve(pdf, stream.get('Filter'));
  const filters = filter instanceof PdfArray ? filter.toArray().map((each) => resolve(pdf, each)) : [filter];
  const [only] = filters;
  try {
    if (
      filters.length === 1 &&
      only instanceof PdfName &&
      only.value === 'FlateDecode' &&
      !stream.has('DecodeParms')
    ) {
      // A stream that is cut off reads as far as it goes, as readers do it.
      return inflateSync(stream.data, { maxOutputLength: most, finishFlush: constants.Z_SYNC_FLUSH });
    }
    const bytes = only === undefined ? stream.data : stream.getDecodedData();
    if (bytes.length <= most) return bytes;
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw new PdfError('damaged', { cause });
  }
  throw new PdfError('expands_too_far');
}
