const NAMES =
  'grave acute circumflex tilde macron breve dotaccent dieresis ring cedilla hungarumlaut ogonek caron'.split(
    ' ',
  );
const CODES = [193, 194, 195, 196, 197, 198, 199, 200, 202, 203, 205, 206, 207];
const FIRST_NUMBER = 124;

/** A glyph by its name, and the number of that in the compact format. */
interface Part {
  readonly name: string;
  readonly number: number;
}

const PARTS: ReadonlyMap<number, Part> = new Map([
  [39, { name: 'quoteright', number: 8 }],
  [44, { name: 'comma', number: 13 }],
  [245, { name: 'dotlessi', number: 145 }],
  ...CODES.map((code, index): [number, Part] => [
    code,
    { name: NAMES[index] ?? '', number: FIRST_NUMBER + index },
  ]),
]);

/** What a glyph may be made of, a letter and an accent, by its usual code (Adobe Type 1 Font Format, 6.4, `seac`). */
export function partOf(code: number): Part | undefined {
  const name = String.fromCharCode(code);
  return /^[A-Za-z]$/.test(name) ? { name, number: code - 31 } : PARTS.get(code);
}
