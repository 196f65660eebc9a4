import { Unclear } from '../raw/tokens.ts';

/** Bits of the longest code of a run, and of a mode. */
const [LONGEST_RUN, LONGEST_MODE] = [13, 7];
/** The mark of an end, by its zeros and the one behind them. */
const END_ZEROS = 11;
/** Codes of runs from 1792 to 2560 pixels. */
const LONG = `00000001000 00000001100 00000001101 000000010010 000000010011 000000010100 000000010101 000000010110
  000000010111 000000011100 000000011101 000000011110 000000011111`;

/** Codes of runs: of 0 to 63 pixels, then of 64, 128 and so on (ITU-T T.4, tables 2 and 3). */
const WHITE = runsOf(
  `00110101 000111 0111 1000 1011 1100 1110 1111 10011 10100 00111 01000 001000 000011 110100 110101 101010 101011
  0100111 0001100 0001000 0010111 0000011 0000100 0101000 0101011 0010011 0100100 0011000 00000010 00000011 00011010
  00011011 00010010 00010011 00010100 00010101 00010110 00010111 00101000 00101001 00101010 00101011 00101100 00101101
  00000100 00000101 00001010 00001011 01010010 01010011 01010100 01010101 00100100 00100101 01011000 01011001 01011010
  01011011 01001010 01001011 00110010 00110011 00110100 11011 10010 010111 0110111 00110110 00110111 01100100 01100101
  01101000 01100111 011001100 011001101 011010010 011010011 011010100 011010101 011010110 011010111 011011000
  011011001 011011010 011011011 010011000 010011001 010011010 011000 010011011`,
);
const BLACK = runsOf(
  `0000110111 010 11 10 011 0011 0010 00011 000101 000100 0000100 0000101 0000111 00000100 00000111 000011000 0000010111
  0000011000 0000001000 00001100111 00001101000 00001101100 00000110111 00000101000 00000010111 00000011000
  000011001010 000011001011 000011001100 000011001101 000001101000 000001101001 000001101010 000001101011 000011010010
  000011010011 000011010100 000011010101 000011010110 000011010111 000001101100 000001101101 000011011010 000011011011
  000001010100 000001010101 000001010110 000001010111 000001100100 000001100101 000001010010 000001010011 000000100100
  000000110111 000000111000 000000100111 000000101000 000001011000 000001011001 000000101011 000000101100 000001011010
  000001100110 000001100111 0000001111 000011001000 000011001001 000001011011 000000110011 000000110100 000000110101
  0000001101100 0000001101101 0000001001010 0000001001011 0000001001100 0000001001101 0000001110010 0000001110011
  0000001110100 0000001110101 0000001110110 0000001110111 0000001010010 0000001010011 0000001010100 0000001010101
  0000001011010 0000001011011 0000001100100 0000001100101`,
);
/** How far the next change is from that above; `PASS` and `RUNS` are the other modes (ITU-T T.6, table 1). */
const [PASS, RUNS] = [10, 11];
const MODES = tableOf(
  [
    ['1', 0],
    ['011', 1],
    ['000011', 2],
    ['0000011', 3],
    ['010', -1],
    ['000010', -2],
    ['0000010', -3],
    ['0001', PASS],
    ['001', RUNS],
  ],
  LONGEST_MODE,
);

function runsOf(codes: string): Int16Array {
  const all = `${codes} ${LONG}`.split(/\s+/);
  return tableOf(
    all.map((code, index) => [code, index < 64 ? index : (index - 63) * 64]),
    LONGEST_RUN,
  );
}

/** By the bits that come next: what the code stands for and, behind it, how long the code is; 0 for no code. */
function tableOf(codes: readonly (readonly [string, number])[], longest: number): Int16Array {
  const table = new Int16Array(2 << longest);
  for (const [code, value] of codes) {
    const first = Number.parseInt(code, 2) << (longest - code.length);
    for (let next = first; next < first + (1 << (longest - code.length)); next++)
      table.set([value, code.length], next * 2);
  }
  return table;
}

/** How rows are packed: all by the rows above them (`k` below 0), none, or some, as each of them tells (ISO 32000-2, 7.4.6). */
export interface Fax {
  readonly columns: number;
  readonly rows: number;
  readonly k: number;
  readonly isAligned: boolean;
}

/**
 * Walks over the rows of a picture that is packed by ITU-T T.4 or T.6. Readers go astray at an error, each in its way, and fill in rows that
 * are missing.
 * @returns the bits that the rows take
 * @throws {Unclear} for rows that are missing or in error
 */
export function faxRows(data: Uint8Array, { columns, rows, k, isAligned }: Fax): number {
  const walk = new Walk(data, columns);
  for (let row = 0; row < rows; row++) {
    if (isAligned) walk.align();
    if (k < 0) walk.rowByAbove();
    else {
      const isMarked = walk.passEnd();
      if (k > 0 && !isMarked) throw new Unclear('A row of a picture does not tell how it is packed');
      if (k > 0 && !walk.bit()) walk.rowByAbove();
      else walk.row();
    }
  }
  return walk.at;
}

/**
 * The length of a picture that is packed by ITU-T T.6: all its rows, and the mark of the end.
 * @throws {Unclear}
 */
export function groupFourLength(data: Uint8Array, columns: number, rows: number): number {
  const walk = new Walk(data, columns);
  walk.at = faxRows(data, { columns, rows, k: -1, isAligned: false });
  for (let mark = 0; mark < 2; mark++)
    if (walk.peek(END_ZEROS + 1) !== 1) throw new Unclear('A picture has no end');
    else walk.at += END_ZEROS + 1;
  if (walk.at > data.length * 8) throw new Unclear('A picture has no end');
  return Math.ceil(walk.at / 8);
}

/** Goes over codes by the places at which rows change their colour: no dots are made. */
class Walk {
  at = 0;
  readonly #data: Uint8Array;
  readonly #columns: number;
  /** Of the row above, with the end of the row behind. */
  #above: Int32Array;
  #changes: Int32Array;
  #count = 0;

  constructor(data: Uint8Array, columns: number) {
    this.#data = data;
    this.#columns = columns;
    this.#above = new Int32Array(columns + 4).fill(columns, 0, 3);
    this.#changes = new Int32Array(columns + 4);
  }

  /** Bits that come next, zeros behind the end. */
  peek(bits: number): number {
    const byte = this.at >> 3;
    const data = this.#data;
    const next = ((data[byte] ?? 0) << 16) | ((data[byte + 1] ?? 0) << 8) | (data[byte + 2] ?? 0);
    return (next >> (24 - bits - (this.at & 7))) & ((1 << bits) - 1);
  }

  bit(): boolean {
    const bit = this.peek(1) === 1;
    this.at++;
    return bit;
  }

  align(): void {
    this.at = (this.at + 7) & ~7;
  }

  /** Goes over the mark of an end of a row and the zeros before it, where it stands. */
  passEnd(): boolean {
    if (this.peek(END_ZEROS) !== 0) return false;
    while (this.at < this.#data.length * 8) if (this.bit()) return true;
    throw new Unclear('A picture has too few rows');
  }

  row(): void {
    let [from, colour] = [0, 0];
    while (from < this.#columns) {
      from = this.#change(from + this.#run(colour));
      colour = 1 - colour;
    }
    this.#next();
  }

  rowByAbove(): void {
    const above = this.#above;
    // -1 is before the first dot, above which a change counts too.
    let [from, colour, next] = [-1, 0, 0];
    while (from < this.#columns) {
      while ((above[next] ?? 0) <= from) next += 2;
      const mode = this.#code(MODES, LONGEST_MODE);
      const start = from;
      if (mode === PASS) from = above[next + 1] ?? 0;
      else if (mode === RUNS) {
        from = this.#change(Math.max(from, 0) + this.#run(colour));
        from = this.#change(from + this.#run(1 - colour));
      } else {
        from = this.#change((above[next] ?? 0) + mode);
        colour = 1 - colour;
        next += next > 0 ? -1 : 1;
      }
      if (from <= start) throw new Unclear('A picture has a run of nothing');
    }
    this.#next();
  }

  #run(colour: number): number {
    const codes = colour === 0 ? WHITE : BLACK;
    let part = this.#code(codes, LONGEST_RUN);
    let length = part;
    while (part >= 64) {
      part = this.#code(codes, LONGEST_RUN);
      length += part;
    }
    return length;
  }

  #code(table: Int16Array, longest: number): number {
    const entry = this.peek(longest) * 2;
    const length = table[entry + 1] ?? 0;
    this.at += length;
    if (length === 0 || this.at > this.#data.length * 8)
      throw new Unclear('A picture has a code that is not valid');
    return table[entry] ?? 0;
  }

  /** Two changes at one place are none. */
  #change(at: number): number {
    if (at > this.#columns || at < 0) throw new Unclear('A picture has a row that is too long');
    if (this.#count > 0 && this.#changes[this.#count - 1] === at) this.#count--;
    else this.#changes[this.#count++] = at;
    return at;
  }

  #next(): void {
    this.#changes.fill(this.#columns, this.#count, this.#count + 3);
    [this.#above, this.#changes, this.#count] = [this.#changes, this.#above, 0];
  }
}
