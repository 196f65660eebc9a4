import { Unclear } from '../raw/tokens.ts';

/** More than any inline image has. */
const MOST_PIXELS = 4 << 20;
const LONGEST_CODE = 13;
const END = '000000000001';

/** Codes of runs: of 0 to 63 pixels, then of 64, 128 and so on to 1728 (ITU-T T.4, tables 2 and 3). */
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
/** How far the next change is from that above; `pass` and `runs` are the other modes (ITU-T T.6, table 1). */
const MODES: ReadonlyMap<string, number | 'pass' | 'runs'> = new Map<string, number | 'pass' | 'runs'>([
  ...([
    ['1', 0],
    ['011', 1],
    ['000011', 2],
    ['0000011', 3],
    ['010', -1],
    ['000010', -2],
    ['0000010', -3],
  ] as const),
  ...([
    ['0001', 'pass'],
    ['001', 'runs'],
  ] as const),
]);

function runsOf(codes: string): ReadonlyMap<string, number> {
  return new Map(codes.split(/\s+/).map((code, index) => [code, index < 64 ? index : (index - 63) * 64]));
}

/**
 * The length of a picture that is packed by ITU-T T.6: all its rows, and the mark of the end. Readers stop at the rows or at the mark, and go
 * astray at an error, each in its way.
 * @throws {Unclear}
 */
export function groupFourLength(data: Uint8Array, columns: number, rows: number): number {
  if (!(columns > 0 && rows > 0 && columns * rows <= MOST_PIXELS))
    throw new Unclear('A picture is too large');
  let at = 0;
  const code = <Value>(codes: ReadonlyMap<string, Value>): Value => {
    let bits = '';
    while (bits.length < LONGEST_CODE && at < data.length * 8) {
      bits += ((data[at >> 3] ?? 0) >> (7 - (at++ & 7))) & 1;
      const value = codes.get(bits);
      if (value !== undefined) return value;
    }
    throw new Unclear('A picture has a code that is none');
  };
  const run = (codes: ReadonlyMap<string, number>): number => {
    let length = code(codes);
    for (let part = length; part >= 64; length += part) part = code(codes);
    return length;
  };
  let above = new Uint8Array(columns);
  for (let row = 0; row < rows; row++) {
    const line = new Uint8Array(columns);
    let [from, colour] = [0, 0];
    /** The next change above, from a place on, to the colour that is not this one. */
    const change = (start: number, to: number) => {
      for (let x = start; x < columns; x++) if (above[x] === to && (above[x - 1] ?? 0) !== to) return x;
      return columns;
    };
    const fill = (to: number) => {
      if (to < from || to > columns) throw new Unclear('A picture has a row that is too long');
      line.fill(colour, from, to);
      from = to;
    };
    for (let isFirst = true; from < columns; isFirst = false) {
      const start = from;
      const mode = code(MODES);
      const next = change(isFirst ? 0 : from + 1, 1 - colour);
      if (mode === 'pass') fill(change(next + 1, colour));
      else if (mode === 'runs') {
        for (let half = 0; half < 2; half++, colour = 1 - colour) fill(from + run(colour ? BLACK : WHITE));
      } else {
        fill(next + mode);
        colour = 1 - colour;
      }
      if (from === start && !isFirst) throw new Unclear('A picture has a run of nothing');
    }
    above = line;
  }
  code(new Map([[END, true]]));
  code(new Map([[END, true]]));
  return Math.ceil(at / 8);
}
