import { Unclear } from './raw/tokens.ts';

/** The predictor of the rows of packed data (ISO 32000-2, table 8). */
export interface Rows {
  readonly predictor: number;
  readonly colours: number;
  readonly bits: number;
  readonly columns: number;
}

/** Filters that may have a predictor. */
export const FILTERS_OF_ROWS: ReadonlySet<string> = new Set(['FlateDecode', 'Fl', 'LZWDecode', 'LZW']);

/**
 * The predictor of the rows; undefined where each row stands for itself.
 * @param said the number of a parameter, or the usual one where it is not given
 */
export function rowsBy(said: (key: string, usual: number) => number): Rows | undefined {
  const predictor = said('Predictor', 1);
  if (predictor === 1) return undefined;
  const [colours, bits, columns] = [said('Colors', 1), said('BitsPerComponent', 8), said('Columns', 1)];
  return { predictor, colours, bits, columns };
}

/** Predictors from here on have a byte before each row (ISO 32000-2, 7.4.4.4). */
const FIRST = 10;
const LAST = 15;
/** What that byte says at most. */
const LAST_METHOD = 4;
/** The predictor of TIFF: of other bits, each reader adds in its way. */
const [TIFF, TIFF_BITS] = [2, new Set([1, 8])];

/** Bytes of a row, without the one before it. @throws {Unclear} for rows that are none, and for a predictor that is unknown */
export function rowLength({ predictor, colours, bits, columns }: Rows): number {
  if (![colours, bits, columns].every((size) => Number.isInteger(size) && size > 0))
    throw new Unclear('The rows of packed data have no length');
  const isTiff = predictor === TIFF && TIFF_BITS.has(bits);
  if (!isTiff && !isByRow(predictor)) throw new Unclear('A predictor is unknown');
  return Math.ceil((colours * bits * columns) / 8);
}

/** Whether a byte before each row names its predictor. */
export const isByRow = (predictor: number): boolean => predictor >= FIRST && predictor <= LAST;

/** @throws {Unclear} for a row that names an unknown predictor */
export function checkMethods(data: Uint8Array, rows: Rows): void {
  const row = rowLength(rows) + 1;
  if (!isByRow(rows.predictor)) return;
  for (let at = 0; at < data.length; at += row)
    if ((data[at] ?? 0) > LAST_METHOD) throw new Unclear('A row of packed data names an unknown predictor');
}

/** The bytes that predicted rows stand for (ISO/IEC 15948, 9.2; TIFF 6.0, section 14). @throws {Unclear} */
export function unpredicted(data: Uint8Array, rows: Rows): Uint8Array {
  const length = rowLength(rows);
  const pixel = Math.max(1, (rows.colours * rows.bits) >> 3);
  if (!isByRow(rows.predictor)) return added(data, { length, pixel, bits: rows.bits });
  checkMethods(data, rows);
  if (data.length % (length + 1) !== 0) throw new Unclear('The last row of packed data is cut');
  const count = data.length / (length + 1);
  const found = new Uint8Array(count * length);
  for (let row = 0; row < count; row++) {
    const [from, to] = [row * (length + 1), row * length];
    const method = data[from] ?? 0;
    for (let column = 0; column < length; column++) {
      const left = column >= pixel ? (found[to + column - pixel] ?? 0) : 0;
      const above = row > 0 ? (found[to + column - length] ?? 0) : 0;
      const corner = row > 0 && column >= pixel ? (found[to + column - length - pixel] ?? 0) : 0;
      found[to + column] = (data[from + 1 + column] ?? 0) + guessOf(method, left, above, corner);
    }
  }
  return found;
}

function guessOf(method: number, left: number, above: number, corner: number): number {
  switch (method) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case LAST_METHOD:
      return paeth(left, above, corner);
    default:
      return 0;
  }
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

/** Each sample is the difference to the one before it in its row. */
function added(
  data: Uint8Array,
  { length, pixel, bits }: { length: number; pixel: number; bits: number },
): Uint8Array {
  if (bits !== 8) throw new Unclear('A predictor is used for samples of less than eight bits');
  if (data.length % length !== 0) throw new Unclear('The last row of packed data is cut');
  const found = data.slice();
  for (let at = 0; at < found.length; at++)
    if (at % length >= pixel) found[at] = (found[at] ?? 0) + (found[at - pixel] ?? 0);
  return found;
}
