import { type PDF, PdfRef, PdfStream } from '@libpdf/core';
import { latin1Of } from '../latin1.ts';
import { referredTo } from './raw/references.ts';
import { HIGHEST_NUMBER, type Sections } from './raw/sections.ts';
import { Unclear } from './raw/tokens.ts';
import { entriesIn } from './repair.ts';

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
    const entries = entriesIn(stream);
    const numbers = new Set(entries.map(({ number }) => number));
    if (numbers.size !== entries.length) throw new Unclear(`Stream ${holder} holds an object twice`);
    for (const { number, index } of held)
      if (entries[index]?.number !== number) throw new Unclear(`Object ${number} is not where it should be`);
    for (const number of referredTo(latin1Of(stream.getDecodedData())))
      if (number < HIGHEST_NUMBER) next = Math.max(next, number + 1);
  }
  return next;
}
