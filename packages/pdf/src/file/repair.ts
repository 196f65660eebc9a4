import { type PDF, PdfDict, PdfRef, PdfStream } from '@libpdf/core';
import { PdfError } from '../errors.ts';
import { latin1Of } from '../latin1.ts';
import { objectsIn } from './packed-objects.ts';
import { objectHeads, type Place, readSection } from './raw/sections.ts';
import { Unclear } from './raw/tokens.ts';

type Listed = ReadonlyMap<number, Place>;

/** More objects than any contract has. */
const MOST_OBJECTS = 500_000;
/** `/Encrypt`, some letters perhaps written as hex digits. */
const ENCRYPT =
  /\/(?:E|#45)(?:n|#6e)(?:c|#63)(?:r|#72)(?:y|#79)(?:p|#70)(?:t|#74)(?=[\0\t\n\f\r ()<>[\]{}/%])(?!\s*null)/i;
/** What a trailer says of the catalog, in the same way. */
const ROOT = /\/(?:R|#52)(?:o|#6f){2}(?:t|#74)[\0\t\n\f\r ]*(\d{1,10})[\0\t\n\f\r ]/gi;

/** Whether a file whose trailer cannot be trusted speaks of encryption anywhere: then repairing it makes garbage of it. */
export function speaksOfEncryption(file: string): boolean {
  return ENCRYPT.test(file);
}

/**
 * Where the cross-references do not say where an object is, readers look for it themselves. They find the same one when there
 * is just one of each number, one catalog, and no table that some of them believe all the same leaves one out.
 * @throws {PdfError} damaged
 */
export function findPlaces(pdf: PDF, file: string): Map<number, Place> {
  const places = new Map<number, Place>();
  const listed: Listed[] = [...tablesIn(file)];
  const add = (number: number, place: Place) => {
    if (places.has(number) || places.size >= MOST_OBJECTS) throw new PdfError('damaged');
    places.set(number, place);
  };
  for (const { number, generation, at } of objectHeads(file))
    add(number, { kind: 'at', offset: at, generation });
  const catalogs = new Set<number>();
  for (const [number, place] of places) {
    const object = pdf.getObject(PdfRef.of(number, place.kind === 'at' ? place.generation : 0));
    const type = object instanceof PdfDict ? object.getName('Type')?.value : undefined;
    if (type === 'Catalog') catalogs.add(number);
    if (place.kind !== 'at' || !(object instanceof PdfStream)) continue;
    if (type === 'ObjStm')
      for (const [index, entry] of entriesIn(pdf, object).entries())
        add(entry.number, { kind: 'in', stream: number, index });
    if (type === 'XRef') listed.push(new Map([...placesAt(file, place.offset), [number, place]]));
  }
  for (const [, number] of file.matchAll(ROOT)) catalogs.add(Number(number));
  if (catalogs.size > 1 || !isListed(places, listed)) throw new PdfError('damaged');
  return places;
}

/** Whether the tables that can be read, if any, have each object, and none of them frees it. */
function isListed(places: Listed, tables: readonly Listed[]): boolean {
  if (tables.length === 0) return true;
  const kinds = new Map<number, Set<string>>();
  for (const [number, { kind }] of tables.flatMap((table) => [...table]))
    kinds.set(number, (kinds.get(number) ?? new Set()).add(kind));
  return [...places.keys()].every((number) => kinds.get(number)?.has('free') === false);
}

function* tablesIn(file: string): Generator<Listed> {
  for (let at = file.indexOf('xref'); at !== -1; at = file.indexOf('xref', at + 4))
    if (file.slice(Math.max(0, at - 5), at) !== 'start') yield placesAt(file, at);
}

/** What a part of the cross-references says. @throws {PdfError} damaged, where some readers make sense of it and others do not */
function placesAt(file: string, at: number): Listed {
  try {
    return readSection(file, at).places;
  } catch (cause) {
    if (cause instanceof Unclear) throw new PdfError('damaged', { cause });
    throw cause;
  }
}

/** The objects in a stream of objects, by their order: their numbers, and where they are in its data. */
export function entriesIn(pdf: PDF, stream: PdfStream): { number: number; offset: number }[] {
  const count = stream.getNumber('N')?.value ?? 0;
  const first = stream.getNumber('First')?.value ?? 0;
  const head = latin1Of(objectsIn(pdf, stream), 0, first).trim();
  const values = head.split(/[\0\t\n\f\r ]+/).map(Number);
  const most = Math.min(count, Math.ceil(values.length / 2));
  return Array.from({ length: Math.max(0, most) }, (_, index) => ({
    number: values[index * 2] ?? Number.NaN,
    offset: first + (values[index * 2 + 1] ?? Number.NaN),
  }));
}
