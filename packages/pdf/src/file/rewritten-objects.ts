import { type PDF, PdfRef, PdfStream } from '@libpdf/core';
import { latin1Of } from '../latin1.ts';
import { objectsIn } from './packed-objects.ts';
import type { Sections } from './raw/sections.ts';
import { entryOf, type Raw, type RawDict, RawReader, Unclear } from './raw/tokens.ts';
import { entriesIn } from './repair.ts';

type RawReference = Extract<Raw, { kind: 'ref' }>;

/** What the catalog, the root of the pages and the form may take, in bytes: lists of pages are long. */
const LARGEST = 4 << 20;

/**
 * An update rewrites these objects: the catalog, the root of the page tree, and the form. It must not decide on the way what
 * readers may take in different ways, such as an entry that stands there twice.
 * @throws {Unclear}
 */
export function checkWritten(file: string, pdf: PDF, sections: Sections): void {
  const root = entryOf(sections.trailer, 'Root');
  if (root?.kind !== 'ref') throw new Unclear('There is no catalog');
  const catalog = readObject(file, pdf, sections, root);
  for (const key of ['Pages', 'AcroForm']) {
    const value = entryOf(catalog, key);
    if (value?.kind === 'ref') readObject(file, pdf, sections, value);
  }
}

function readObject(
  file: string,
  pdf: PDF,
  { places }: Sections,
  { number, generation }: RawReference,
): RawDict {
  const place = places.get(number);
  if (generation !== (place?.kind === 'at' ? place.generation : 0))
    throw new Unclear(`Object ${number} has another generation`);
  if (place?.kind === 'at') {
    const reader = readerAt(file, place.offset, LARGEST);
    const dict = reader.dict();
    reader.skip();
    if (!reader.match(/endobj/y)) throw new Unclear(`Object ${number} goes on behind its dictionary`);
    return dict;
  }
  if (place?.kind !== 'in') throw new Unclear(`Object ${number} is missing`);
  const stream = pdf.getObject(PdfRef.of(place.stream, 0));
  if (!(stream instanceof PdfStream)) throw new Unclear('A stream of objects is missing');
  const entry = entriesIn(pdf, stream)[place.index];
  if (entry === undefined) throw new Unclear(`Object ${number} is missing`);
  return new RawReader(latin1Of(objectsIn(pdf, stream), entry.offset, entry.offset + LARGEST)).dict();
}

/** What the dictionary of a stream of objects may take, in bytes. */
export const DICTIONARY_OF_OBJECTS = 16 << 10;

/** Behind the head of an object. @param most bytes that are read */
export function readerAt(file: string, offset: number, most: number): RawReader {
  const reader = new RawReader(file.slice(offset, offset + most));
  reader.match(/[\0\t\n\f\r ]*\d+[\0\t\n\f\r ]+\d+[\0\t\n\f\r ]+obj/y);
  return reader;
}
