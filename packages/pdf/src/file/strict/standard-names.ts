/**
 * The standard encoding (Adobe Technical Note 5176, appendix B): each run begins with the code of its first name. The numbers of these names in the
 * compact format are their places here, from 1 on.
 */
const RUNS = [
  '32 space exclam quotedbl numbersign dollar percent ampersand quoteright parenleft parenright asterisk plus comma hyphen period slash',
  '48 zero one two three four five six seven eight nine colon semicolon less equal greater question at',
  `65 ${[...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].join(' ')} bracketleft backslash bracketright asciicircum underscore quoteleft`,
  `97 ${[...'abcdefghijklmnopqrstuvwxyz'].join(' ')} braceleft bar braceright asciitilde`,
  '161 exclamdown cent sterling fraction yen florin section currency quotesingle quotedblleft guillemotleft guilsinglleft',
  '173 guilsinglright fi fl',
  '177 endash dagger daggerdbl periodcentered',
  '182 paragraph bullet quotesinglbase quotedblbase quotedblright guillemotright ellipsis perthousand',
  '191 questiondown',
  '193 grave acute circumflex tilde macron breve dotaccent dieresis',
  '202 ring cedilla',
  '205 hungarumlaut ogonek caron emdash',
  ...['225 AE', '227 ordfeminine', '232 Lslash Oslash OE ordmasculine', '241 ae', '245 dotlessi'],
  '248 lslash oslash oe germandbls',
];

const NAMES: ReadonlyMap<number, string> = new Map(
  RUNS.flatMap((run) => {
    const [first = '', ...names] = run.split(' ');
    return names.map((name, index): [number, string] => [Number(first) + index, name]);
  }),
);
const NUMBERED = ['.notdef', ...NAMES.values()];
const NUMBERS = new Map(NUMBERED.map((name, number) => [name, number]));
/** Printable characters of ASCII, whose names differ from those of the standard encoding in two. */
const [FIRST, LAST] = [32, 126];
const CODES = new Map([
  ...[...NAMES].flatMap(([code, name]): [string, number][] =>
    code >= FIRST && code <= LAST ? [[name, code]] : [],
  ),
  ['quotesingle', 39],
  ['grave', 96],
]);
for (const name of ['quoteright', 'quoteleft']) CODES.delete(name);

/** A printable character of ASCII by the name of its glyph (Adobe Glyph List). @returns its code; undefined for other names */
export const characterOf = (name: string): number | undefined => CODES.get(name);

/** The names of glyphs by their codes in the standard encoding. */
export const standardCodes = (): Map<number, string> => new Map(NAMES);

/** The name of a glyph by its code in the standard encoding. */
export const standardName = (code: number): string | undefined => NAMES.get(code);

/** The name that the compact format has a number for; undefined for those that no standard code leads to. */
export const numberedName = (number: number): string | undefined => NUMBERED[number];

/** Of a name that all fonts know: one that stands in the font too is a second one. */
export const numberOfName = (name: string): number | undefined => NUMBERS.get(name);
