import { type PDF, PdfRef, PdfStream } from '@libpdf/core';
import { latin1Of } from '../../latin1.ts';
import type { Loaded } from '../load.ts';
import { numberAt } from '../objects.ts';
import { objectsIn } from '../packed-objects.ts';
import { checkEntries, checkWhole, type Wholes } from '../raw/entries.ts';
import type { Sections } from '../raw/sections.ts';
import { entryOf, Unclear, wholeNumber } from '../raw/tokens.ts';
import { entriesIn } from '../repair.ts';
import { DICTIONARY_OF_OBJECTS, readerAt } from '../rewritten-objects.ts';

const ENDSTREAM = 'endstream';
/** How often the file may be read as objects that begin at different places. */
const MOST_READ = 4;

/**
 * Each stream must end where its length says, and at no other place: some readers go by the length, others by the word at the end.
 * Attached files are passed over, since no page shows them and they may be PDF files themselves.
 * @param ends of the dictionaries of objects, by their numbers
 * @throws {Unclear}
 */
export function checkStreamEnds(
  file: string,
  pdf: PDF,
  places: Sections['places'],
  ends: ReadonlyMap<number, number>,
): void {
  for (const [number, place] of places) {
    if (place.kind !== 'at') continue;
    const stream = pdf.getObject(PdfRef.of(number, place.generation));
    if (!(stream instanceof PdfStream) || stream.getName('Type')?.value === 'EmbeddedFile') continue;
    const start = dataStart(file, ends.get(number) ?? place.offset);
    const said = numberAt(pdf, stream, 'Length') ?? 0;
    // What is not encrypted any more has another length.
    const length = pdf.isEncrypted ? said : stream.data.length;
    const end = start + length;
    if (
      // Some readers cut data by a length that is less, and go on behind them by one that is more.
      said !== length ||
      file.indexOf(ENDSTREAM, start) < end ||
      !/^[\0\t\n\f\r ]*endstream/.test(file.slice(end, end + 1024))
    )
      throw new Unclear(`Stream ${number} does not end where its length says`);
  }
}

/**
 * Each dictionary must say one thing of each name: those that stand in the file, and those in its streams of objects. That which tells
 * the title and the author, which no page shows, may have texts twice.
 * @returns where the dictionary of each object in the file ends
 * @throws {Unclear}
 */
export function checkAllEntries(
  { bytes, text, pdf, sections }: Loaded,
  places: Sections['places'],
): Map<number, number> {
  const info = sections && entryOf(sections.trailer, 'Info');
  const streams = new Set<number>();
  const ends = new Map<number, number>();
  const wholes: Wholes = { W: new Set(), W2: new Set(), list: new Set(), number: new Set() };
  const packed = new Map<number, PackedObjects>();
  let read = 0;
  for (const [number, place] of places)
    if (place.kind === 'in') streams.add(place.stream);
    else if (place.kind === 'at') {
      const mayRepeat = info?.kind === 'ref' && info.number === number;
      const end = checkEntries(bytes, place.offset, bytes.length, { mayRepeat, wholes });
      ends.set(number, end);
      read += end - place.offset;
      // Objects stand one behind the other: nothing is read again and again.
      if (read > MOST_READ * bytes.length) throw new Unclear('Objects stand in one another');
    }
  for (const number of streams) {
    const stream = pdf.getObject(PdfRef.of(number, 0));
    const place = places.get(number);
    if (!(stream instanceof PdfStream) || place?.kind !== 'at')
      throw new Unclear('A stream of objects is missing');
    const dict = readerAt(text, place.offset, DICTIONARY_OF_OBJECTS).dict();
    wholeNumber(dict, 'N');
    const first = wholeNumber(dict, 'First') ?? 0;
    const data = objectsIn(pdf, stream);
    const offsets = entriesIn(pdf, stream).map(({ offset }) => offset);
    if (!offsets.every((offset) => first <= offset && offset <= data.length))
      throw new Unclear('An object is missing');
    const starts = offsets.toSorted((one, other) => one - other);
    for (const [index, start] of starts.entries()) checkEntries(data, start, starts[index + 1], { wholes });
    const nexts = new Map(starts.map((start, index) => [start, starts[index + 1] ?? data.length]));
    packed.set(number, { data, offsets, nexts });
  }
  const valueIn = (number: number): string => {
    const place = places.get(number);
    if (place?.kind === 'at') return text.slice(bodyOf(text, place.offset), ends.get(number));
    const objects = place?.kind === 'in' ? packed.get(place.stream) : undefined;
    const offset = place?.kind === 'in' ? objects?.offsets[place.index] : undefined;
    // What is missing is null to all readers.
    return objects && offset !== undefined ? latin1Of(objects.data, offset, objects.nexts.get(offset)) : '';
  };
  // Numbers come last: lists may name more of them.
  for (const whole of ['W', 'W2', 'list', 'number'] as const)
    for (const number of wholes[whole]) checkWhole(valueIn(number), { key: String(number), whole, wholes });
  return ends;
}

/** What stands in a stream of objects: where each begins, in their order, and by that where the next one does. */
interface PackedObjects {
  readonly data: Uint8Array;
  readonly offsets: readonly number[];
  readonly nexts: ReadonlyMap<number, number>;
}

/** Behind the head of an object. */
const bodyOf = (text: string, offset: number) => text.indexOf('obj', offset) + 'obj'.length;

/** @param end of its dictionary */
function dataStart(file: string, end: number): number {
  const [head] = /^[\0\t\n\f\r ]*stream(?:\r\n|\n)/.exec(file.slice(end, end + 64)) ?? [];
  if (head === undefined) throw new Unclear('A stream begins in a form that readers do not agree on');
  return end + head.length;
}
