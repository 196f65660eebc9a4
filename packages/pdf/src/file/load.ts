import { PDF, PdfRef } from '@libpdf/core';
import { PdfError } from '../errors.ts';
import { joined } from '../joined.ts';
import { bytesOf, latin1Of } from '../latin1.ts';
import { checkObjectStreams, checkPacked } from './object-streams.ts';
import { type Place, readSections, type Sections } from './raw/sections.ts';
import { Contradiction, entryOf, Unclear } from './raw/tokens.ts';
import { reachedFrom } from './references.ts';

/** A file as the library reads it. */
export interface Loaded {
  readonly bytes: Uint8Array;
  /** The bytes, each a character. */
  readonly text: string;
  readonly pdf: PDF;
  /** Undefined when the cross-references are not clear: the library looked for the objects itself. */
  readonly sections: Sections | undefined;
}

/**
 * Has the library read the objects where {@link readSections} found them. Its own reading of cross-references overlooks
 * errors, prefers the wrong section of hybrid files, and refuses wide offsets.
 * @throws {PdfError} not_pdf, damaged
 */
export async function load(bytes: Uint8Array): Promise<Loaded> {
  const text = latin1Of(bytes);
  const sections = clearSections(text);
  try {
    if (!sections) return { bytes, text, pdf: await PDF.load(bytes), sections };
    checkPacked(text, sections);
    const pdf = await PDF.load(withOneSection(bytes, sections));
    if (pdf.recoveredViaBruteForce) throw new Error('The library does not read the section made for it');
    checkDisputed(pdf, sections);
    writeAfter(pdf, bytes, sections, checkObjectStreams(pdf, sections));
    return { bytes, text, pdf, sections };
  } catch (cause) {
    if (cause instanceof Unclear) throw new PdfError('damaged', { cause });
    throw new PdfError('not_pdf', { cause });
  }
}

function clearSections(text: string): Sections | undefined {
  try {
    return readSections(text);
  } catch (error) {
    if (error instanceof Contradiction) throw new PdfError('damaged', { cause: error });
    if (error instanceof Unclear) return undefined;
    throw error;
  }
}

/** @throws {Unclear} when a disputed object is reached from the catalog */
function checkDisputed(pdf: PDF, { disputed, places, trailer }: Sections): void {
  const root = entryOf(trailer, 'Root');
  if (disputed.size === 0 || root?.kind !== 'ref') return;
  for (const { ref } of reachedFrom(pdf, PdfRef.of(root.number, root.generation))) {
    if (!ref) continue;
    const place = places.get(ref.objectNumber);
    if (disputed.has(ref.objectNumber) || (place?.kind === 'in' && disputed.has(place.stream)))
      throw new Unclear(`Object ${ref.objectNumber} is hidden from some readers`);
  }
}

/** The file with one more section, which alone says where everything is. */
function withOneSection(bytes: Uint8Array, { places, trailer, nextNumber }: Sections): Uint8Array {
  const rows = rowsOf(new Map([[0, { kind: 'free' } as const], ...places]));
  const kept = trailer.entries
    .filter(({ key, value }) => ['Root', 'Info', 'ID', 'Encrypt'].includes(key) && value.kind !== 'null')
    .map(({ key, text }) => `/${key} ${text}`);
  // The key of an old encryption is made of it; without it nothing is added.
  if (!trailer.entries.some(({ key }) => key === 'ID')) kept.push('/ID[<><>]');
  const dict = `<</Type/XRef/W[1 6 4]/Index[${rows.index}]/Size ${nextNumber}${kept.join('')}/Length ${rows.data.length}>>`;
  const head = bytesOf(`\n${nextNumber} 0 obj\n${dict}\nstream\n`);
  const end = bytesOf(`\nendstream\nendobj\nstartxref\n${bytes.length + 1}\n%%EOF\n`);
  return joined([bytes, head, rows.data, end]);
}

function rowsOf(places: ReadonlyMap<number, Place>): { data: Uint8Array; index: string } {
  const data = new Uint8Array(places.size * 11);
  const view = new DataView(data.buffer);
  const ranges: { first: number; count: number }[] = [];
  const sorted = [...places].sort(([a], [b]) => a - b);
  for (const [row, [number, place]] of sorted.entries()) {
    const last = ranges.at(-1);
    if (last && last.first + last.count === number) last.count++;
    else ranges.push({ first: number, count: 1 });
    const at = row * 11;
    const [kind, second, third] = fieldsOf(place);
    view.setUint8(at, kind);
    view.setUint16(at + 1, Math.floor(second / 2 ** 32));
    view.setUint32(at + 3, second % 2 ** 32);
    view.setUint32(at + 7, third);
  }
  return { data, index: ranges.map(({ first, count }) => `${first} ${count}`).join(' ') };
}

function fieldsOf(place: Place): [number, number, number] {
  if (place.kind === 'at') return [1, place.offset, place.generation];
  return place.kind === 'in' ? [2, place.stream, place.index] : [0, 0, 65_535];
}

/** What is written goes behind the file itself, in the form of its last section, with numbers that it never used. */
function writeAfter(
  pdf: PDF,
  bytes: Uint8Array,
  { start, usesStreams, nextNumber }: Sections,
  behindReferences: number,
): void {
  set(pdf, { originalBytes: bytes, originalXRefOffset: start, _usesXRefStreams: usesStreams });
  set(pdf.context.registry, { _nextObjNum: Math.max(nextNumber, behindReferences) });
}

/** The library has no calls for these. Its version is pinned. */
function set(target: object, values: object): void {
  for (const name of Object.keys(values)) {
    if (!(name in target)) throw new Error(`The library has no ${name} any more`);
  }
  Object.assign(target, values);
}
