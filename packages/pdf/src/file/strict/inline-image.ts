import { PICTURE_DOTS_MOST } from '../../dots.ts';
import { latin1Of } from '../../latin1.ts';
import { FILTERS_OF_ROWS, isByRow, type Rows, rowLength, rowsBy, unpredicted } from '../predictor.ts';
import { Unclear } from '../raw/tokens.ts';
import type { Operand } from './content-reader.ts';
import { fromAscii85, fromHex } from './decode.ts';
import { groupFourLength } from './fax.ts';
import type { Inflate } from './inflate.ts';
import { checkScans } from './jpeg-scans.ts';
import { type Unpacked, unpackLzw, unpackRuns } from './packed.ts';
import { checkJpeg } from './packed-picture.ts';
import { highest } from './pictures.ts';

/** The entries of an inline image by their names, short or long. */
export class ImageEntries extends Map<string, readonly Operand[]> {
  /** Those that are lists, of their items. */
  readonly lists = new Set<string>();
}

/** How data are unpacked. `spend` gets how many bytes came of it, and throws when it is too much in all. */
export interface Unpacking {
  readonly inflate: Inflate;
  spend(bytes: number): void;
}

/** Inline images are small: larger ones belong into an object of their own. */
const LARGEST = 16 << 20;
/** pdf.js takes an end only where this many bytes of text follow. */
const FOLLOWING = 15;
const [GREATER, TILDE] = [0x3e, 0x7e];
const BITS = new Set([1, 2, 4, 8]);
/** Filters whose data tell the bits themselves. */
const TELL_BITS = new Set(['DCTDecode', 'DCT', 'CCITTFaxDecode', 'CCF']);

const NAMES = [
  ...([
    ['W', 'Width'],
    ['H', 'Height'],
    ['BPC', 'BitsPerComponent'],
    ['CS', 'ColorSpace'],
  ] as const),
  ...([
    ['F', 'Filter'],
    ['DP', 'DecodeParms'],
    ['IM', 'ImageMask'],
    ['D', 'Decode'],
  ] as const),
] as const;
/** Components of a colour, by colour space. Others are named in the resources or are lists. */
const COMPONENTS: Readonly<Record<string, number>> = {
  ...{ DeviceGray: 1, G: 1, CalGray: 1, Indexed: 1, I: 1 },
  ...{ DeviceRGB: 3, RGB: 3, CalRGB: 3, DeviceCMYK: 4, CMYK: 4 },
};

/**
 * Where the operator behind an inline image begins. Some readers count its bytes, others look for `EI`: both must end at the same
 * place (ISO 32000-2, 8.9.7).
 * @param start of the data
 * @throws {Unclear}
 */
export function imageDataEnd(
  bytes: Uint8Array,
  start: number,
  entries: ImageEntries,
  unpacking: Unpacking,
): number {
  if (NAMES.some(([short, long]) => entries.has(short) && entries.has(long)))
    throw new Unclear('An inline image has an entry twice');
  checkValues(entries);
  checkColours(entries);
  checkParameters(entries);
  const end = start + lengthOf(bytes.subarray(start, start + LARGEST), entries, unpacking);
  const behind = /^[\0\t\n\f\r ]{0,2}EI(?=[\n\r ]|$)/.exec(latin1Of(bytes, end, end + 5));
  if (end > bytes.length || !behind) throw new Unclear('An inline image does not end where its data end');
  const after = end + behind[0].length;
  const inside = latin1Of(bytes, start, after - 2);
  if (/EI[\0\t\n\f\r ]/.test(inside)) throw new Unclear('The data of an inline image look like its end');
  if (/[^\n\r -~]/.test(latin1Of(bytes, after, after + FOLLOWING + 1)))
    throw new Unclear('The end of an inline image is not followed by text');
  return after;
}

/** Entries that may be lists. */
const LISTS = new Set(['CS', 'ColorSpace', 'D', 'Decode', 'DP', 'DecodeParms', 'F', 'Filter']);
const NUMBERS = new Set('W Width H Height BPC BitsPerComponent'.split(' '));
const TRUTHS = new Set('IM ImageMask I Interpolate'.split(' '));
/** Parameters of filters. */
const PARAMETER_NUMBERS = new Set(
  'Predictor Colors BitsPerComponent Columns EarlyChange K Rows DamagedRowsBeforeError ColorTransform'.split(
    ' ',
  ),
);
const PARAMETER_TRUTHS = new Set('BlackIs1 EndOfLine EndOfBlock EncodedByteAlign'.split(' '));

/** A value of another kind, or with a point, is none to some readers. @throws {Unclear} */
function checkValues(entries: ImageEntries): void {
  const isWhole = (value: Operand | undefined) => value?.kind === 'N' && !value.isReal;
  for (const [key, values] of entries) {
    const isOne = values.length === 1 && !entries.lists.has(key);
    const [value] = values;
    if (!LISTS.has(key) && !isOne) throw new Unclear(`/${key} of an inline image is a list`);
    if (NUMBERS.has(key) && !isWhole(value))
      throw new Unclear(`/${key} of an inline image is no whole number`);
    if (TRUTHS.has(key) && value?.kind !== 'B')
      throw new Unclear(`/${key} of an inline image is not true or false`);
    if ((key === 'F' || key === 'Filter') && values.some(({ kind }) => kind !== 'M'))
      throw new Unclear('A filter of an inline image has no name');
  }
  for (const { entries: parameters } of entries.get('DP') ?? entries.get('DecodeParms') ?? [])
    for (const [key, value] of parameters ?? [])
      if (
        (PARAMETER_NUMBERS.has(key) && !isWhole(value)) ||
        (PARAMETER_TRUTHS.has(key) && value.kind !== 'B')
      )
        throw new Unclear(`/${key} of an inline image is of another kind`);
}

function lengthOf(
  data: Uint8Array,
  entries: ImageEntries,
  { inflate, spend }: Unpacking,
  filters: readonly (string | undefined)[] = filtersOf(entries),
): number {
  const [filter, ...rest] = filters;
  const whole = (unpacked: Unpacked) => {
    if (rest.length > 0) throw new Unclear('An inline image is packed twice');
    spend(unpacked.bytes.length);
    return wholeLength(unpacked, entries);
  };
  /** What is packed as text must be packed well inside, too, and be enough. */
  const checkInside = (inside: Uint8Array, others: typeof filters) => {
    if (others.length > 0) lengthOf(inside, entries, { inflate, spend }, others);
    else wholeLength({ bytes: inside, used: inside.length }, entries);
  };
  if (filter === undefined) {
    const length = plainLength(entries);
    checkDots(data.subarray(0, length), entries);
    return length;
  }
  switch (filter) {
    case 'Fl':
    case 'FlateDecode':
      return whole(inflated(data, inflate));
    case 'AHx':
    case 'ASCIIHexDecode':
      return behindMark(data, data.indexOf(GREATER) + 1, /^[0-9A-Fa-f\0\t\n\f\r ]*>$/, (text) =>
        checkInside(fromHex(text), rest),
      );
    case 'A85':
    case 'ASCII85Decode':
      return behindMark(data, data.indexOf(TILDE) + 2, /^[!-uz\0\t\n\f\r ]*~>$/, (text) =>
        checkInside(fromAscii85(text, LARGEST), rest),
      );
    case 'RL':
    case 'RunLengthDecode':
      return whole(unpackRuns(data, LARGEST));
    case 'LZW':
    case 'LZWDecode':
      return whole(unpackLzw(data, earlyChange(entries), LARGEST));
    case 'CCF':
    case 'CCITTFaxDecode':
      return faxLength(data, entries);
    case 'DCT':
    case 'DCTDecode':
      return jpegLength(data, entries, spend);
    default:
      throw new Unclear(`An inline image is packed as ${filter}`);
  }
}

/** Whether codes grow one early. @throws {Unclear} */
function earlyChange(entries: ImageEntries): boolean {
  const change = parametersOf(entries)?.get('EarlyChange')?.value ?? 1;
  if (change !== 0 && change !== 1) throw new Unclear('The codes of an inline image grow in an unknown way');
  return change === 1;
}

/** @throws {Unclear}; {RangeError} for too many bytes */
function inflated(data: Uint8Array, inflate: Inflate): Unpacked {
  try {
    return inflate(data, LARGEST);
  } catch (cause) {
    if (cause instanceof RangeError) throw cause;
    throw new Unclear('An inline image cannot be unpacked', { cause });
  }
}

const filtersOf = (entries: ImageEntries) =>
  (entries.get('F') ?? entries.get('Filter') ?? []).map(({ name }) => name);

function plainLength(entries: ImageEntries): number {
  const [width, height] = [numberOf(entries, 'W', 'Width'), numberOf(entries, 'H', 'Height')];
  const components = componentsOf(entries);
  const bits = isMask(entries) ? 1 : numberOf(entries, 'BPC', 'BitsPerComponent');
  if (width === undefined || height === undefined || components === undefined || bits === undefined)
    throw new Unclear('The length of an inline image is not clear');
  return Math.ceil((width * components * bits) / 8) * height;
}

function numberOf(entries: ImageEntries, ...keys: string[]): number | undefined {
  return keys.map((key) => entries.get(key)?.[0]?.value).find(Number.isInteger);
}

function behindMark(
  data: Uint8Array,
  end: number,
  pattern: RegExp,
  check: (text: Uint8Array) => void,
): number {
  if (!pattern.test(latin1Of(data, 0, end))) throw new Unclear('The data of an inline image have no end');
  check(data.subarray(0, end));
  return end;
}

/** The length of packed data that have an end, and enough in them. */
function wholeLength({ bytes, used }: Unpacked, entries: ImageEntries): number {
  if (used === undefined) throw new Unclear('The data of an inline image have no end');
  const rows = rowsOf(entries);
  const height = numberOf(entries, 'H', 'Height') ?? 0;
  const length = rows
    ? (rowLength(rows) + (isByRow(rows.predictor) ? 1 : 0)) * height
    : componentsOf(entries) && plainLength(entries);
  if (length !== undefined && bytes.length < length) throw new Unclear('An inline image has too few data');
  checkDots(rows ? unpredicted(bytes.subarray(0, length), rows) : bytes, entries);
  return used;
}

/** What tells the colours must fit together; of a space in the resources it is looked at there. */
function checkColours(entries: ImageEntries): void {
  const components = componentsOf(entries);
  const bits = isMask(entries) ? 1 : numberOf(entries, 'BPC', 'BitsPerComponent');
  const [width = 0, height = 0] = [numberOf(entries, 'W', 'Width'), numberOf(entries, 'H', 'Height')];
  if (width <= 0 || height <= 0) throw new Unclear('An inline image has no size');
  if (width * height > PICTURE_DOTS_MOST) throw new Unclear('An inline image is too large');
  checkKind(entries, bits);
  if (bits !== undefined && !BITS.has(bits)) throw new Unclear('An inline image does not tell its bits');
  const values = (entries.get('D') ?? entries.get('Decode'))?.map(({ value }) => value);
  if (values === undefined) return;
  const isOfMask = !isMask(entries) || ['0,1', '1,0'].includes(String(values));
  const isOfSpace = components === undefined || values.length === components * 2;
  if (!isOfMask || !isOfSpace || lastOf(entries) !== undefined)
    throw new Unclear('The values of an inline image are not clear');
}

/** It is a mask or has colours, and not both. */
function checkKind(entries: ImageEntries, bits: number | undefined): void {
  const has = (...keys: string[]) => keys.some((key) => entries.has(key));
  const mask = (entries.get('IM') ?? entries.get('ImageMask'))?.[0];
  if (mask !== undefined && mask.kind !== 'B') throw new Unclear('An inline image may be a mask');
  const hasColours = has('CS', 'ColorSpace');
  const said = numberOf(entries, 'BPC', 'BitsPerComponent');
  if (isMask(entries) ? hasColours || (said ?? 1) !== 1 : !hasColours)
    throw new Unclear('The colours of an inline image are not clear');
  if (bits === undefined && !TELL_BITS.has(filtersOf(entries).at(-1) ?? ''))
    throw new Unclear('An inline image does not tell its bits');
}

/** The last entry of its table of colours; undefined where it has none. */
function lastOf(entries: ImageEntries): number | undefined {
  const [space, , last] = entries.get('CS') ?? entries.get('ColorSpace') ?? [];
  return space?.name === 'I' || space?.name === 'Indexed' ? (last?.value ?? 0) : undefined;
}

/** @param dots as they are, unpacked @throws {Unclear} for a dot that is not in the table of colours */
function checkDots(dots: Uint8Array, entries: ImageEntries): void {
  const last = lastOf(entries);
  const [width = 0, height = 0] = [numberOf(entries, 'W', 'Width'), numberOf(entries, 'H', 'Height')];
  const bits = numberOf(entries, 'BPC', 'BitsPerComponent') ?? 8;
  if (last === undefined || last >= 2 ** bits - 1) return;
  const row = Math.ceil((width * bits) / 8);
  if (highest(dots.subarray(0, row * height), width, row, bits) > last)
    throw new Unclear('An inline image has colours that are not in its table');
}

const isMask = (entries: ImageEntries) =>
  (entries.get('IM') ?? entries.get('ImageMask'))?.[0]?.name === 'true';

function componentsOf(entries: ImageEntries): number | undefined {
  const space = (entries.get('CS') ?? entries.get('ColorSpace'))?.[0]?.name ?? '';
  return isMask(entries) ? 1 : COMPONENTS[space];
}

/** Only as it is written today: by ITU-T T.6, with the mark of its end. */
function faxLength(data: Uint8Array, entries: ImageEntries): number {
  const parameters = parametersOf(entries);
  const [columns, rows] = [numberOf(entries, 'W', 'Width'), numberOf(entries, 'H', 'Height')];
  const said = (key: string) => parameters?.get(key);
  const isUsual =
    (said('K')?.value ?? 0) < 0 &&
    (said('Columns')?.value ?? 1728) === columns &&
    (said('Rows')?.value ?? rows) === rows &&
    (said('EndOfBlock')?.name ?? 'true') === 'true' &&
    ['EndOfLine', 'EncodedByteAlign'].every((key) => (said(key)?.name ?? 'false') === 'false');
  if (!isUsual || columns === undefined || rows === undefined)
    throw new Unclear('The length of an inline image is not clear');
  return groupFourLength(data, columns, rows);
}

/** Of data that have all their codes, and the size and the colours of the picture. */
function jpegLength(data: Uint8Array, entries: ImageEntries, spend: Unpacking['spend']): number {
  const length = jpegEnd(data);
  const [width = 0, height = 0] = [numberOf(entries, 'W', 'Width'), numberOf(entries, 'H', 'Height')];
  const components = componentsOf(entries);
  const picture = data.subarray(0, length);
  spend(width * height);
  if (components !== undefined) checkJpeg(picture, { width, height, bits: undefined, components });
  checkScans(picture);
  return length;
}

/** Segments tell their length; what follows the beginning of a scan goes on to a mark that is none of its own (ISO/IEC 10918-1, annex B). */
function jpegEnd(data: Uint8Array): number {
  const [START, END, SCAN] = [0xd8, 0xd9, 0xda];
  if (data[0] === 0xff && data[1] === START)
    for (let at = 2; data[at] === 0xff; ) {
      const mark = data[at + 1] ?? 0;
      if (mark === END) return at + 2;
      at += 2 + (((data[at + 2] ?? 0) << 8) | (data[at + 3] ?? 0));
      if (mark !== SCAN) continue;
      while (at < data.length && !(data[at] === 0xff && isMark(data[at + 1] ?? 0))) at++;
    }
  throw new Unclear('The data of an inline image have no end');
}

/** Whether it ends a scan: no escaped byte, no restart. */
function isMark(byte: number): boolean {
  return byte !== 0 && (byte < 0xd0 || byte > 0xd7);
}

/** A name has a dictionary, and a list has a list of the same length: in others some readers find the parameters, and others do not. */
function checkParameters(entries: ImageEntries): void {
  const [parameters, filters] = [
    ['DP', 'DecodeParms'],
    ['F', 'Filter'],
  ].map((keys) => keys.find((key) => entries.has(key)));
  if (parameters === undefined) return;
  const isList = (key: string | undefined) => key !== undefined && entries.lists.has(key);
  const all = entries.get(parameters) ?? [];
  if (isList(parameters) !== isList(filters) || all.length !== filtersOf(entries).length)
    throw new Unclear('The parameters of an inline image are not those of its filters');
  const isPredicted = all.map((each) => (each.entries?.get('Predictor')?.value ?? 1) !== 1);
  if (
    isPredicted.slice(0, -1).includes(true) ||
    (isPredicted.at(-1) && !FILTERS_OF_ROWS.has(filtersOf(entries).at(-1) ?? ''))
  )
    throw new Unclear('A filter of an inline image has parameters of another one');
}

/** The predictor of its rows, where they have one. @throws {Unclear} where its rows are not those of the image */
function rowsOf(entries: ImageEntries): Rows | undefined {
  const parameters = parametersOf(entries);
  const said = (key: string, usual: number) =>
    parameters?.has(key) ? (parameters.get(key)?.value ?? 0) : usual;
  const rows = rowsBy(said);
  if (rows === undefined) return undefined;
  rowLength(rows);
  const isOfImage =
    rows.columns === numberOf(entries, 'W', 'Width') &&
    rows.bits === (isMask(entries) ? 1 : numberOf(entries, 'BPC', 'BitsPerComponent')) &&
    rows.colours === (componentsOf(entries) ?? rows.colours);
  if (!isOfImage) throw new Unclear('The rows of an inline image are not those of its data');
  return rows;
}

/** Of its last filter: those that are texts have none. */
function parametersOf(entries: ImageEntries): ReadonlyMap<string, Operand> | undefined {
  return (entries.get('DP') ?? entries.get('DecodeParms'))?.at(-1)?.entries;
}
