import { bytesOf } from '../../latin1.ts';
import { inflateAnywhere } from '../inflate-anywhere.ts';
import { isByRow, type Rows, rowLength, rowsBy, unpredicted } from '../predictor.ts';
import { referredTo } from './references.ts';
import { Contradiction, entryOf, type Raw, type RawDict, RawReader, Unclear, wholeNumber } from './tokens.ts';

/** Where an object is: at a place in the file, or in a stream of objects. */
export type Place =
  | { readonly kind: 'free' }
  | { readonly kind: 'at'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'in'; readonly stream: number; readonly index: number };

/** What the cross-references of a file say, all sections of it together. */
export interface Sections {
  /** The number after the last `startxref`. */
  readonly start: number;
  readonly usesStreams: boolean;
  readonly places: ReadonlyMap<number, Place>;
  readonly trailer: RawDict;
  /** Above every number that the file uses or says that it uses. */
  readonly nextNumber: number;
  /** Objects that a table hides and the stream beside it shows, or the other way round. Readers differ in whether they have them. */
  readonly disputed: ReadonlySet<number>;
}

interface Section {
  readonly places: Map<number, Place>;
  readonly trailer: RawDict;
  readonly isStream: boolean;
  /** Whether a line of a table is shorter or longer than it should be. */
  readonly hasOddLines: boolean;
}

/** Readers look for `startxref` this near to the end, in bytes. */
const TAIL = 1024;
const MOST_SECTIONS = 1000;
/** Rows of all sections: more than a file of the largest size has objects. */
const MOST_ROWS = 300_000;
/** Of a table, in bytes. */
const LINE = 20;
/** What a table of cross-references can tell (ISO 32000-2, 7.5.4). */
const LAST_GENERATION = 65_535;
/** What the head of an object, a line of a table, or a trailer may take, in bytes. */
const WINDOW = 64 << 10;
const SPACES = '\0\t\n\f\r ';
/** What one stream of cross-references may expand to, in bytes. */
const LARGEST = 64 << 20;
/** Readers take no number above this one (mupdf has the lowest bound). */
export const HIGHEST_NUMBER = 8_388_000;

/**
 * Reads the cross-references by the letter of the standard (ISO 32000-2, 7.5.4, 7.5.8), and checks that each entry leads to
 * its object. What is left then is a file in which every reader finds the same objects.
 * @param file each of its characters is a byte
 * @throws {Unclear} for all else: a reader that is lenient may still make something of it
 */
export function readSections(file: string): Sections {
  const start = startOf(file);
  const places = new Map<number, Place>();
  const all: Section[] = [];
  let rowsLeft = MOST_ROWS;
  const seen = new Set<number>();
  const disputed = new Set<number>();
  const hiddenAll: [sections: number, places: ReadonlyMap<number, Place>][] = [];
  for (let at: number | undefined = start; at !== undefined; ) {
    if (seen.has(at) || seen.size >= MOST_SECTIONS) throw new Unclear('Sections lead in a circle');
    seen.add(at);
    const section = readSection(file, at, rowsLeft);
    rowsLeft -= section.places.size;
    all.push(section);
    merge(places, section.places);
    const beside = section.isStream ? undefined : wholeNumber(section.trailer, 'XRefStm');
    if (beside !== undefined) {
      const hidden = readSection(file, beside, rowsLeft);
      rowsLeft -= hidden.places.size;
      if (!hidden.isStream) throw new Unclear('/XRefStm leads to no stream');
      const before = wholeNumber(hidden.trailer, 'Prev');
      if (before !== undefined && before !== wholeNumber(section.trailer, 'Prev'))
        throw new Contradiction('Table and stream go on with other sections');
      checkHidden(section.places, hidden.places, disputed);
      hiddenAll.push([all.length, hidden.places]);
      all.push(hidden);
      merge(places, hidden.places);
    }
    at = wholeNumber(section.trailer, 'Prev');
  }
  // Readers that do not know such streams must not find something else in an older section either.
  for (const [after, hidden] of hiddenAll)
    for (const older of all.slice(after))
      if (!older.isStream) checkHidden(usedIn(older.places), hidden, disputed);
  const [{ trailer, isStream } = { trailer: undefined, isStream: false }] = all;
  if (!trailer || entryOf(trailer, 'Root')?.kind !== 'ref') throw new Unclear('There is no catalog');
  const isEncrypted = entryOf(trailer, 'Encrypt') !== undefined;
  if (!isEncrypted && all.some((one) => entryOf(one.trailer, 'Encrypt') !== undefined))
    throw new Unclear('One section is encrypted, the last one is not');
  checkPlaces(file, places, wholeNumber(trailer, 'Size') ?? 0);
  if (all.some((one) => one.hasOddLines)) checkFound(file, places);
  return {
    start,
    usesStreams: isStream,
    places,
    trailer,
    nextNumber: nextNumber(file, all, places),
    disputed,
  };
}

function startOf(file: string): number {
  if (!file.startsWith('%PDF-')) throw new Unclear('The file does not begin with its header');
  const tail = file.slice(-TAIL);
  // The last one counts, but not for each reader where it is cut, or part of another word.
  const [, digits] =
    /.*[\0\t\n\f\r ]startxref[\0\t\n\f\r ]+(\d{1,12})[\0\t\n\f\r ]+%%EOF(?!.*startxref)/s.exec(tail) ?? [];
  if (digits === undefined) throw new Unclear('There is no clear startxref');
  return Number(digits);
}

/** The newest section comes first, and its word counts. */
function merge(into: Map<number, Place>, places: ReadonlyMap<number, Place>): void {
  for (const [number, place] of places) if (!into.has(number)) into.set(number, place);
}

/**
 * What the stream beside a table adds, old readers do not know: they must not find something else there. Where one of the two frees the
 * object, those that know the stream differ too (ISO 32000-1, 7.5.8.4).
 */
function checkHidden(
  table: ReadonlyMap<number, Place>,
  hidden: ReadonlyMap<number, Place>,
  disputed: Set<number>,
): void {
  for (const [number, place] of hidden) {
    const shown = table.get(number);
    if (!shown || isSame(shown, place)) continue;
    if (shown.kind !== 'free' && place.kind !== 'free')
      throw new Contradiction(`Object ${number} stands in table and stream`);
    disputed.add(number);
  }
}

function usedIn(places: ReadonlyMap<number, Place>): ReadonlyMap<number, Place> {
  return new Map([...places].filter(([, { kind }]) => kind !== 'free'));
}

function isSame(a: Place, b: Place): boolean {
  if (a.kind === 'free' || b.kind === 'free') return a.kind === b.kind;
  return JSON.stringify(a) === JSON.stringify(b);
}

/** The section that begins at a place. @param most rows that it may have @throws {Unclear} */
export function readSection(file: string, at: number, most = MOST_ROWS): Section {
  if (at >= file.length) throw new Unclear('A section lies behind the end of the file');
  let from = at;
  while (from < file.length && SPACES.includes(file.charAt(from))) from++;
  return file.startsWith('xref', from) ? readTable(file, from + 4, most) : readStream(file, from, most);
}

function readTable(file: string, at: number, most: number): Section {
  const places = new Map<number, Place>();
  let hasOddLines = false;
  let from = at;
  for (;;) {
    const reader = new RawReader(file.slice(from, from + WINDOW));
    reader.skip();
    if (reader.match(/trailer/y)) {
      const trailer = reader.dict();
      return { places, trailer, isStream: false, hasOddLines };
    }
    const head = reader.match(/(\d{1,10})[ \t]+(\d{1,10})[ \t]*(?:\r\n|\r|\n)[\0\t\n\f\r ]*/y);
    if (!head) throw new Unclear('A part of a table has no head');
    from += reader.at;
    const [first, count] = [Number(head[1]), Number(head[2])];
    for (let index = 0; index < count; index++) {
      const line = /^(\d{10}) (\d{5}) ([nf])[ \t]*(?:\r\n|\r|\n)/.exec(file.slice(from, from + 24));
      if (!line) throw new Unclear('A line of a table is not as it should be');
      from += line[0].length;
      hasOddLines ||= line[0].length !== LINE;
      const [offset, generation] = [Number(line[1]), Number(line[2])];
      const isUsed = line[3] === 'n' && offset > 0;
      if (first === 1 && index === 0 && !isUsed && generation === 65_535)
        throw new Unclear('The numbers of a table begin at the wrong one');
      if (places.has(first + index)) throw new Unclear('A table has two lines for one object');
      if (places.size >= most) throw new Contradiction('The tables have too many lines');
      places.set(first + index, isUsed ? { kind: 'at', offset, generation } : { kind: 'free' });
    }
  }
}

function readStream(file: string, at: number, most: number): Section {
  const reader = new RawReader(file.slice(at, at + WINDOW));
  if (!reader.match(/\d{1,10}[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+obj/y))
    throw new Unclear('There is no section');
  const trailer = reader.dict();
  reader.skip();
  if (!reader.match(/stream(?:\r\n|\n)/y)) throw new Unclear('There is no stream of cross-references');
  const type = entryOf(trailer, 'Type');
  const length = wholeNumber(trailer, 'Length');
  if (type?.kind !== 'name' || type.value !== 'XRef' || length === undefined)
    throw new Unclear('A stream is not one of cross-references');
  const start = at + reader.at;
  const end = start + length;
  if (!/^[\0\t\n\f\r ]*endstream/.test(file.slice(end, end + 16)))
    throw new Unclear('A stream has another length than it says');
  const rows = decode(bytesOf(file.slice(start, end)), trailer);
  return { places: readRows(rows, trailer, most), trailer, isStream: true, hasOddLines: false };
}

function readRows(rows: Uint8Array, dict: RawDict, most: number): Map<number, Place> {
  const widths = numbers(entryOf(dict, 'W'));
  const size = wholeNumber(dict, 'Size');
  const [type = 0, second = 0, third = 0] = widths;
  if (widths.length !== 3 || widths.some((width) => width > 8) || size === undefined || second === 0)
    throw new Unclear('The rows of a stream have no clear widths');
  const parts = entryOf(dict, 'Index') ? numbers(entryOf(dict, 'Index')) : [0, size];
  const places = new Map<number, Place>();
  let at = 0;
  const field = (width: number) => {
    let value = 0;
    for (const end = at + width; at < end; at++) value = value * 256 + (rows[at] ?? 0);
    return value;
  };
  for (let part = 0; part + 1 < parts.length; part += 2) {
    const [first = 0, count = 0] = parts.slice(part, part + 2);
    if (at + count * (type + second + third) > rows.length) throw new Unclear('Rows of a stream are missing');
    for (let index = 0; index < count; index++) {
      const kind = type === 0 ? 1 : field(type);
      const place = placeOf(kind, field(second), field(third));
      if (places.has(first + index)) throw new Unclear('A stream has two rows for one object');
      if (places.size >= most) throw new Contradiction('The streams have too many rows');
      places.set(first + index, place);
    }
  }
  return places;
}

function placeOf(kind: number, second: number, third: number): Place {
  if (kind === 0 || (kind === 1 && second === 0)) return { kind: 'free' };
  if (kind === 1) return { kind: 'at', offset: second, generation: third };
  if (kind === 2) return { kind: 'in', stream: second, index: third };
  throw new Unclear('A row of a stream has an unknown kind');
}

function numbers(value: Raw | undefined): number[] {
  if (value?.kind !== 'array') throw new Unclear('There is no list of numbers');
  return value.items.map((item) => {
    if (item.kind !== 'number' || item.isReal || !Number.isSafeInteger(item.value) || item.value < 0)
      throw new Unclear('There is no list of numbers');
    return item.value;
  });
}

function decode(data: Uint8Array, dict: RawDict): Uint8Array {
  const { isPacked, rows } = packedObjects(dict);
  if (!isPacked) return data;
  let found: Uint8Array;
  try {
    found = inflateAnywhere(data, LARGEST).bytes;
  } catch (cause) {
    throw new Unclear('A stream of cross-references cannot be inflated', { cause });
  }
  if (rows === undefined) return found;
  // What is behind the last row tells nothing.
  const row = rowLength(rows) + 1;
  return unpredicted(found.subarray(0, found.length - (found.length % row)), rows);
}

/**
 * How a stream of objects or of cross-references is packed: as writers do it, in a form that all readers take in the same way.
 * @throws {Unclear}
 */
export function packedObjects(dict: RawDict): { isPacked: boolean; rows: Rows | undefined } {
  const [filter, parameters] = ['Filter', 'DecodeParms'].map((key) => entryOf(dict, key));
  if (entryOf(dict, 'F') ?? entryOf(dict, 'DP')) throw new Unclear('A stream has a name that it may not use');
  if (filter === undefined || filter.kind === 'null') return { isPacked: false, rows: undefined };
  const name = single(filter);
  if (name?.kind !== 'name' || (name.value !== 'FlateDecode' && name.value !== 'Fl'))
    throw new Unclear('A stream of objects has an unusual filter');
  const said = parameters && single(parameters);
  if (said === undefined || said.kind === 'null') return { isPacked: true, rows: undefined };
  if (said.kind !== 'dict' || (filter.kind === 'array') !== (parameters?.kind === 'array'))
    throw new Unclear('A filter has unusual parameters');
  const rows = rowsBy((key, usual) => wholeNumber(said, key) ?? usual);
  if (rows !== undefined && (!isByRow(rows.predictor) || rows.colours !== 1 || rows.bits !== 8))
    throw new Unclear('A filter has unusual parameters');
  return { isPacked: true, rows };
}

/** One filter, or its parameters. */
function single(value: Raw): Raw | undefined {
  if (value.kind !== 'array') return value;
  if (value.items.length > 1) throw new Unclear('A stream of objects has two filters');
  return value.items[0];
}

/** Each entry must lead to its own object: else readers look for the objects themselves, each in its way. */
function checkPlaces(file: string, places: ReadonlyMap<number, Place>, size: number): void {
  for (const [number, place] of places) {
    // Such an object does not exist until an update raises the size.
    if (place.kind !== 'free' && number >= size)
      throw new Unclear(`Object ${number} is not counted by /Size`);
    if (place.kind === 'in' && places.get(place.stream)?.kind !== 'at')
      throw new Unclear(`Object ${number} is in a stream that is not there`);
    if (place.kind !== 'at') continue;
    if (place.generation > LAST_GENERATION)
      throw new Contradiction(`Object ${number} has a generation that is too high`);
    const head = /^[\0\t\n\f\r ]{0,2}(\d{1,10})[\0\t\n\f\r ]+(\d{1,5})[\0\t\n\f\r ]+obj(?![a-z])/.exec(
      file.slice(place.offset, place.offset + 32),
    );
    if (Number(head?.[1]) !== number || Number(head?.[2]) !== place.generation)
      throw new Unclear(`Object ${number} is not where it should be`);
  }
}

/**
 * Readers that take each line of a table for twenty bytes look for the objects themselves where one is not, and take the last of each
 * number: they must find the same.
 */
function checkFound(file: string, places: ReadonlyMap<number, Place>): void {
  const last = new Map<number, number>();
  for (const { number, at } of objectHeads(file)) last.set(number, at);
  for (const [number, at] of last) {
    const place = places.get(number);
    if (place?.kind !== 'at' || file.slice(place.offset, at).trim() !== '' || place.offset > at)
      throw new Unclear(`Object ${number} is not where its table says`);
  }
}

function nextNumber(file: string, all: readonly Section[], places: ReadonlyMap<number, Place>): number {
  let next = 1;
  for (const { trailer } of all) next = Math.max(next, wholeNumber(trailer, 'Size') ?? 0);
  for (const number of places.keys()) next = Math.max(next, number + 1);
  const named = [...Array.from(objectHeads(file), ({ number }) => number), ...referredTo(file)];
  for (const number of named) if (number < HIGHEST_NUMBER) next = Math.max(next, number + 1);
  if (next > HIGHEST_NUMBER) throw new Unclear('The numbers of objects are too high');
  return next;
}

/** Every place that looks like the beginning of an object. */
export function* objectHeads(file: string): Generator<{ number: number; generation: number; at: number }> {
  for (let at = file.indexOf('obj'); at !== -1; at = file.indexOf('obj', at + 3)) {
    const before = file.slice(Math.max(0, at - 24), at);
    const head = /(?:^|[^\d])(\d{1,10})[\0\t\n\f\r ]+(\d{1,5})[\0\t\n\f\r ]+$/.exec(before);
    if (head)
      yield { number: Number(head[1]), generation: Number(head[2]), at: at - before.length + head.index };
  }
}
