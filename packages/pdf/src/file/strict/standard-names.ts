/** The names of printable characters, by their codes from 32 on (Adobe Glyph List). */
const PRINTABLE = [
  ...'space exclam quotedbl numbersign dollar percent ampersand quotesingle parenleft parenright asterisk plus comma hyphen period slash'.split(
    ' ',
  ),
  ...'zero one two three four five six seven eight nine colon semicolon less equal greater question at'.split(
    ' ',
  ),
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  ...'bracketleft backslash bracketright asciicircum underscore grave'.split(' '),
  ...'abcdefghijklmnopqrstuvwxyz',
  ...'braceleft bar braceright asciitilde'.split(' '),
];
const [FIRST, QUOTE_RIGHT, QUOTE_LEFT] = [32, 39, 96];
const CODES = new Map(PRINTABLE.map((name, index) => [name, FIRST + index]));

/** A printable character of ASCII by the name of its glyph. @returns its code; undefined for other names */
export const characterOf = (name: string): number | undefined => CODES.get(name);

const ACCENTS =
  'grave acute circumflex tilde macron breve dotaccent dieresis ring cedilla hungarumlaut ogonek caron'.split(
    ' ',
  );
const ACCENT_CODES = [193, 194, 195, 196, 197, 198, 199, 200, 202, 203, 205, 206, 207];

/** A glyph by its name, and the number of that in the compact format. */
interface Standard {
  readonly name: string;
  readonly number: number;
}

/** By codes of the standard encoding (Adobe Technical Note 5176, appendix A and B): letters, signs and accents. */
const STANDARD: ReadonlyMap<number, Standard> = new Map([
  ...PRINTABLE.map((name, index): [number, Standard] => [FIRST + index, { name, number: 1 + index }]),
  [QUOTE_RIGHT, { name: 'quoteright', number: 8 }],
  [QUOTE_LEFT, { name: 'quoteleft', number: 65 }],
  ...ACCENT_CODES.map((code, index): [number, Standard] => [
    code,
    { name: ACCENTS[index] ?? '', number: 124 + index },
  ]),
  [245, { name: 'dotlessi', number: 145 }],
]);

/** A letter or an accent, of which a glyph with an accent is made, by its code. */
export const componentOf = (code: number): Standard | undefined => STANDARD.get(code);

/** Whether a glyph has a name that all fonts know, so that one that stands in the font is a second one. */
export const isStandardName = (name: string): boolean => NAMES.has(name);

const NAMES = new Set([...STANDARD.values()].map(({ name }) => name));
