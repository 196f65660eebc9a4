import type { PDF, PdfDict, PdfStream } from '@libpdf/core';
import { PdfError } from '../../errors.ts';
import { latin1Of } from '../../latin1.ts';
import { nameAt, numberAt } from '../objects.ts';
import { type Packing, packingOf, rowsOf } from '../packing.ts';
import { checkMethods, isByRow, rowLength, unpredicted } from '../predictor.ts';
import { Unclear } from '../raw/tokens.ts';
import type { Inflate } from './inflate.ts';
import { unpackLzw, unpackRuns } from './packed.ts';

/** What one stream of content, and all of a file, may expand to, in bytes. */
const LARGEST = 64 << 20;
const LARGEST_SUM = 4 * LARGEST;

/** What all pictures of a file may expand to, in bytes: a hundred pages that were scanned in colours, or more in black and white. */
const LARGEST_PICTURES = 32 * LARGEST;
const LARGEST_PICTURE = 4 * LARGEST;
/** What is decrypted, or passed over, in a way of its own. */
const UNDRAWN = new Set(['EmbeddedFile', 'Metadata', 'ObjStm', 'XRef']);

/** Filters by both of their names. Those of pictures do not come before content. */
const FILTERS: Readonly<Record<string, 'content' | 'picture'>> = {
  ...each('ASCIIHexDecode AHx ASCII85Decode A85 LZWDecode LZW FlateDecode Fl RunLengthDecode RL', 'content'),
  ...each('CCITTFaxDecode CCF JBIG2Decode DCTDecode DCT JPXDecode', 'picture'),
};

function each<Kind>(names: string, kind: Kind): Record<string, Kind> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

/** Expands content by the letter: what some readers show in part and others not at all is refused. */
export class ContentDecoder {
  readonly #pdf: PDF;
  readonly #inflated: Inflate;
  #left = LARGEST_SUM;
  #leftForPictures = LARGEST_PICTURES;

  constructor(pdf: PDF, inflate: Inflate) {
    this.#pdf = pdf;
    this.#inflated = inflate;
  }

  /** @throws {Unclear}; {PdfError} expands_too_far */
  decode(stream: PdfStream): Uint8Array {
    const packing = this.#packing(stream);
    if (packing.some(({ filter }) => FILTERS[filter] !== 'content'))
      throw new Unclear(`Content is packed as ${namesOf(packing).join(', ')}`);
    const rows = rowsOf(this.#pdf, packing);
    const data = this.#unpack(stream, packing, Math.min(LARGEST, this.#left));
    this.spend(data.length);
    return rows === undefined ? data : unpredicted(data, rows);
  }

  /** @throws {Unclear} for what says that it is something that nobody draws: some readers treat it otherwise */
  #packing(stream: PdfStream): Packing[] {
    const type = nameAt(this.#pdf, stream, 'Type') ?? '';
    if (UNDRAWN.has(type)) throw new Unclear(`Content says that it is ${type}`);
    return packingOf(this.#pdf, stream);
  }

  /** Counts bytes of content. @throws {PdfError} expands_too_far */
  spend(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new PdfError('expands_too_far');
  }

  /** The names of its filters. @throws {Unclear} for a filter that nobody knows */
  filters(stream: PdfStream): string[] {
    const filters = namesOf(this.#packing(stream));
    const unknown = filters.find((filter) => FILTERS[filter] === undefined);
    if (unknown !== undefined) throw new Unclear(`A filter is unknown: ${unknown}`);
    if (filters.slice(0, -1).some((filter) => FILTERS[filter] === 'picture'))
      throw new Unclear('A picture is packed again before it is one');
    return filters;
  }

  /** Whether its data are unpacked to what they are, and not to a picture. */
  isContent(stream: PdfStream): boolean {
    return this.filters(stream).every((filter) => FILTERS[filter] === 'content');
  }

  /** How many bytes a picture unpacks to. @throws {Unclear}; {PdfError} expands_too_far */
  length(stream: PdfStream): number {
    const packing = this.#packing(stream);
    const rows = rowsOf(this.#pdf, packing);
    const data = this.#unpackPicture(stream, packing);
    const { length } = data;
    if (rows === undefined) return length;
    checkMethods(data, rows);
    return isByRow(rows.predictor) ? length - Math.ceil(length / (rowLength(rows) + 1)) : length;
  }

  /**
   * The data of a picture as its last filter takes them, which unpacks to a picture, and the parameters of that filter.
   * @throws {Unclear}; {PdfError} expands_too_far
   */
  packed(stream: PdfStream): { data: Uint8Array; parameters: PdfDict | undefined } {
    const packing = this.#packing(stream);
    if (rowsOf(this.#pdf, packing)) throw new Unclear('A picture has rows with a predictor');
    const before = packing.slice(0, -1);
    const data = before.length === 0 ? stream.data : this.#unpackPicture(stream, before);
    return { data, parameters: packing.at(-1)?.parameters };
  }

  #unpackPicture(stream: PdfStream, packing: readonly Packing[]): Uint8Array {
    const data = this.#unpack(stream, packing, Math.min(LARGEST_PICTURE, this.#leftForPictures));
    this.#leftForPictures -= data.length;
    if (this.#leftForPictures < 0) throw new PdfError('expands_too_far');
    return data;
  }

  /** Undoes the filters, but no predictor. @throws {Unclear}; {PdfError} expands_too_far */
  #unpack(stream: PdfStream, packing: readonly Packing[], most: number): Uint8Array {
    return packing.reduce((data, { filter, parameters }) => {
      const change = parameters?.has('EarlyChange') ? numberAt(this.#pdf, parameters, 'EarlyChange') : 1;
      if (change !== 0 && change !== 1) throw new Unclear('The codes of packed data grow in an unknown way');
      const early = change === 1;
      return this.#undo(filter, data, { early, most });
    }, stream.data);
  }

  #undo(filter: string, data: Uint8Array, { early, most }: { early: boolean; most: number }): Uint8Array {
    try {
      switch (filter) {
        case 'FlateDecode':
        case 'Fl':
          return this.#inflated(data, Math.max(1, most)).bytes;
        case 'LZWDecode':
        case 'LZW':
          return unpackLzw(data, early, most).bytes;
        case 'RunLengthDecode':
        case 'RL':
          return unpackRuns(data, most).bytes;
        case 'ASCIIHexDecode':
        case 'AHx':
          return fromHex(data);
        default:
          return fromAscii85(data, most);
      }
    } catch (cause) {
      if (cause instanceof RangeError) throw new PdfError('expands_too_far', { cause });
      if (cause instanceof Unclear) throw cause;
      throw new Unclear('Content cannot be unpacked', { cause });
    }
  }
}

const namesOf = (packing: readonly Packing[]) => packing.map(({ filter }) => filter);

/** ISO 32000-2, 7.4.2. */
export function fromHex(data: Uint8Array): Uint8Array {
  const [, digits] = /^([0-9A-Fa-f\0\t\n\f\r ]*)>[\0\t\n\f\r ]*$/.exec(latin1Of(data)) ?? [];
  if (digits === undefined) throw new Unclear('Content has bytes that its filter does not know');
  const all = digits.replaceAll(/[^0-9A-Fa-f]/g, '');
  return Uint8Array.from({ length: Math.ceil(all.length / 2) }, (_, index) =>
    Number.parseInt(all.slice(index * 2, index * 2 + 2).padEnd(2, '0'), 16),
  );
}

/** ISO 32000-2, 7.4.3. @throws {RangeError} for more bytes than `most`: a `z` is four */
export function fromAscii85(data: Uint8Array, most: number): Uint8Array {
  const zeros = data.reduce((count, byte) => (byte === 0x7a ? count + 1 : count), 0);
  if (((data.length - zeros) * 4) / 5 + zeros * 4 > most) throw new RangeError('The data expand too far');
  const [, text] = /^([!-uz\0\t\n\f\r ]*)~>[\0\t\n\f\r ]*$/.exec(latin1Of(data)) ?? [];
  const packed = text?.replaceAll(/[\0\t\n\f\r ]/g, '');
  // Zeros stand for a whole group: within one, each reader makes something else of them.
  const isWhole = packed !== undefined && /^(?:[!-u]{5}|z)*[!-u]{0,4}$/.test(packed);
  const digits = packed?.replaceAll('z', '!!!!!');
  if (digits === undefined || !isWhole || digits.length % 5 === 1)
    throw new Unclear('Content has bytes that its filter does not know');
  const bytes = new Uint8Array(Math.ceil(digits.length / 5) * 4);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < digits.length; at += 5) {
    let word = 0;
    for (let digit = 0; digit < 5; digit++)
      word = word * 85 + (at + digit < digits.length ? digits.charCodeAt(at + digit) - 33 : 84);
    if (word > 0xffffffff) throw new Unclear('Content has digits that are too large for its filter');
    view.setUint32((at / 5) * 4, word);
  }
  return bytes.subarray(0, Math.floor((digits.length * 4) / 5));
}
