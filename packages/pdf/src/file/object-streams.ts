import { type PDF, PdfRef, PdfStream } from '@libpdf/core';
import { latin1Of } from '../latin1.ts';
import { DICTIONARY } from './bounds.ts';
import { objectsIn } from './packed-objects.ts';
import { referredTo } from './raw/references.ts';
import { HIGHEST_NUMBER, packedObjects, type Sections } from './raw/sections.ts';
import { Unclear } from './raw/tokens.ts';
import { entriesIn } from './repair.ts';
import { DICTIONARY_OF_OBJECTS, readerAt } from './rewritten-objects.ts';

/**
 * Before the library unpacks a stream of objects: it must be packed as writers do it, and have been seen by who looks how far
 * it expands.
 * @throws {Unclear}
 */
export function checkPacked(text: string, { places }: Sections): void {
  const holders = new Set<number>();
  for (const place of places.values()) if (place.kind === 'in') holders.add(place.stream);
  for (const number of holders) {
    const place = places.get(number);
    if (place?.kind !== 'at') throw new Unclear('A stream of objects is missing');
    const reader = readerAt(text, place.offset, DICTIONARY_OF_OBJECTS);
    packedObjects(reader.dict());
    reader.skip();
    const end = place.offset + reader.at;
    if (
      !reader.match(/stream/y) ||
      !/ObjStm|#/.test(text.slice(Math.max(place.offset, end - DICTIONARY), end))
    )
      throw new Unclear('A stream of objects does not follow its dictionary');
  }
}

/**
 * Checks the objects that stand in streams: some readers go by the index in the cross-references, others by the number in the stream,
 * so each must be where both say, and stand in its stream once.
 * @returns a number above every one that an object in a stream refers to
 * @throws {Unclear}
 */
export function checkObjectStreams(pdf: PDF, { places }: Sections): number {
  const streams = new Map<number, { number: number; index: number }[]>();
  for (const [number, place] of places) {
    if (place.kind !== 'in') continue;
    const held = streams.get(place.stream) ?? [];
    held.push({ number, index: place.index });
    streams.set(place.stream, held);
  }
  let next = 1;
  for (const [holder, held] of streams) {
    const stream = pdf.getObject(PdfRef.of(holder, 0));
    if (!(stream instanceof PdfStream)) throw new Unclear('A stream of objects is missing');
    const entries = entriesIn(pdf, stream);
    const numbers = new Set(entries.map(({ number }) => number));
    if (numbers.size !== entries.length) throw new Unclear(`Stream ${holder} holds an object twice`);
    for (const { number, index } of held)
      if (entries[index]?.number !== number) throw new Unclear(`Object ${number} is not where it should be`);
    for (const number of referredTo(latin1Of(objectsIn(pdf, stream))))
      if (number < HIGHEST_NUMBER) next = Math.max(next, number + 1);
  }
  return next;
}
