import type { PdfRef } from '@libpdf/core';
import { entryOf, type RawDict, RawReader, Unclear, wholeNumber } from '../raw/tokens.ts';

/** Readers look for the beginning of a file within its first bytes. */
const HEAD = 1024;
const INTEGER = /[+-]?\d+(?![^\0\t\n\f\r ()<>[\]{}/%])/y;
const OBJECT = /obj(?![^\0\t\n\f\r ()<>[\]{}/%])/y;
/** An object that is a stream, as far as its beginning tells. */
const STREAM_HEAD =
  /^[\0\t\n\f\r ]*\d{1,10}[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+obj[\0\t\n\f\r ]*<<[\s\S]*?>>[\0\t\n\f\r ]*stream/;

/**
 * Some readers take the pages from the linearisation, for as long as the file is as long as it says: an update ends that, and
 * they would show other pages than before.
 * @throws {Unclear} when it disagrees with the tree of pages
 */
export function checkLinearization(file: string, pages: readonly { readonly ref: PdfRef }[]): void {
  const dict = firstDict(file);
  if (dict === undefined) return;
  if (entryOf(dict, 'Linearized') === undefined || wholeNumber(dict, 'L') !== file.length) return;
  const first = wholeNumber(dict, 'P') ?? 0;
  if (wholeNumber(dict, 'N') !== pages.length || wholeNumber(dict, 'O') !== pages[first]?.ref.objectNumber)
    throw new Unclear('The linearisation tells of other pages');
  for (const key of ['E', 'T'] as const)
    if ((wholeNumber(dict, key) ?? 0) === 0) throw new Unclear(`/${key} of the linearisation is missing`);
  const hints = entryOf(dict, 'H');
  if (hints?.kind !== 'array' || hints.items.length < 2) throw new Unclear('The linearisation has no hints');
  const [place] = hints.items;
  const at = place?.kind === 'number' ? place.value : -1;
  if (!STREAM_HEAD.test(at < 0 ? '' : file.slice(at, at + HEAD)))
    throw new Unclear('The hints of the linearisation are not where it says');
}

/**
 * The dictionary of the object with which a file begins: if it is made for being shown while it comes, it says so there (ISO 32000-2,
 * F.3.2). Readers pass comments of any length before it, and read it however long it is.
 * @throws {Unclear} when it cannot be read, and may say so
 */
function firstDict(file: string): RawDict | undefined {
  const reader = new RawReader(file, Math.max(0, file.slice(0, HEAD).indexOf('%PDF-')));
  for (const token of [INTEGER, INTEGER, OBJECT, /(?=<<)/y]) {
    reader.skip();
    if (!reader.match(token)) return undefined;
  }
  const start = reader.at;
  try {
    return reader.dict();
  } catch (error) {
    if (/Linearized|#/.test(reader.text.slice(start, Math.max(reader.at, start + HEAD)))) throw error;
    return undefined;
  }
}
