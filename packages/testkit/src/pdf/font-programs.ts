import { int32 } from './numbers.ts';

/*
 * Small programs of fonts, made by hand: glyphs are written as their operators, by name.
 */

/** Operators of both formats (Adobe Type 1 Font Format, 6.4; Technical Note 5177); those of two bytes are 1200 and the second one. */
const OPERATORS: Readonly<Record<string, number>> = {
  ...{
    hstem: 1,
    vstem: 3,
    hstemhm: 18,
    hintmask: 19,
    vmoveto: 4,
    rlineto: 5,
    hlineto: 6,
    vlineto: 7,
    rrcurveto: 8,
    closepath: 9,
  },
  ...{ callsubr: 10, return: 11, hsbw: 13, endchar: 14, rmoveto: 21, hmoveto: 22, callgsubr: 29 },
  ...{ dotsection: 1200, seac: 1206, sbw: 1207, add: 1210, div: 1212, callothersubr: 1216, pop: 1217 },
  ...{ random: 1223, setcurrentpoint: 1233, flex: 1235 },
};

/** @param text numbers and operators, with blanks between them; `#` before a number writes four bytes, `x` before a byte writes it as it is */
export function glyph(text: string): Buffer {
  return Buffer.concat(text.split(' ').filter(Boolean).map(bytesOf));
}

function bytesOf(word: string): Buffer {
  const operator = OPERATORS[word];
  if (operator !== undefined) return operator < 1200 ? Buffer.of(operator) : Buffer.of(12, operator - 1200);
  if (word.startsWith('#')) return Buffer.concat([Buffer.of(255), int32(Number(word.slice(1)))]);
  if (word.startsWith('x')) return Buffer.of(Number(word.slice(1)));
  const value = Number(word);
  if (!Number.isInteger(value) || Math.abs(value) > 1131)
    throw new RangeError(`No operator, and no small number: ${word}`);
  if (Math.abs(value) <= 107) return Buffer.of(value + 139);
  const rest = Math.abs(value) - 108;
  return Buffer.of((value > 0 ? 247 : 251) + (rest >> 8), rest & 0xff);
}

interface Program {
  /** The operators of each glyph. */
  readonly glyphs: readonly (readonly [name: string, text: string])[];
  readonly subrs?: readonly string[];
  /** The number of a list of names that all readers know, in place of the names of these glyphs. */
  readonly charset?: number;
}

const FACTOR = 52_845;
const SUMMAND = 22_719;

function encrypted(plain: Buffer, start: number): Buffer {
  let key = start;
  return Buffer.concat([Buffer.alloc(4), plain]).map((byte) => {
    const made = byte ^ (key >> 8);
    key = ((made + key) * FACTOR + SUMMAND) & 0xffff;
    return made;
  }) as Buffer;
}

/**
 * A program of Type 1.
 * @param change what of its words is written otherwise: of those in clear, and of those that are encrypted
 */
export function type1(
  { glyphs, subrs = [] }: Program,
  change: { readonly clear?: (text: string) => string; readonly hidden?: (text: string) => string } = {},
): { readonly clear: number; readonly data: Buffer } {
  const { clear = (text) => text, hidden = (text) => text } = change;
  const bytes = (text: string) => {
    const program = encrypted(glyph(text), 4330);
    return `${program.length} RD ${program.toString('latin1')}`;
  };
  const head = clear(
    '%!PS-AdobeFont-1.0: Own\n/FontName /Own def\n/FontMatrix [0.001 0 0 0.001 0 0] readonly def\n/Encoding StandardEncoding def\n/FontBBox {0 0 1000 1000} readonly def\ncurrentfile eexec\n',
  );
  const parts = subrs.map((text, index) => `dup ${index} ${bytes(text)} NP\n`).join('');
  const body = hidden(
    `dup /Private 8 dict dup begin\n/lenIV 4 def\n/Subrs ${subrs.length} array\n${parts}ND\n2 index /CharStrings ${glyphs.length} dict dup begin\n${glyphs
      .map(([name, text]) => `/${name} ${bytes(text)} ND\n`)
      .join('')}end\nend\nreadonly put\nmark currentfile closefile\n`,
  );
  const data = Buffer.concat([Buffer.from(head, 'latin1'), encrypted(Buffer.from(body, 'latin1'), 55_665)]);
  return { clear: head.length, data };
}

/** Names that all programs share, by their numbers (Adobe Technical Note 5176, appendix A); of signs and letters the character stands for the name. */
const NAMES = ['.notdef', ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))];
for (const [digit, name] of 'zero one two three four five six seven eight nine'.split(' ').entries())
  NAMES[17 + digit] = name;
NAMES[124] = 'grave';
const FIRST_OWN = 391;

function index(items: readonly Buffer[]): Buffer {
  if (items.length === 0) return Buffer.alloc(2);
  const offsets = [1];
  for (const item of items) offsets.push((offsets.at(-1) ?? 0) + item.length);
  const head = Buffer.alloc(3 + 4 * offsets.length);
  head.writeUInt16BE(items.length);
  head[2] = 4;
  for (const [at, offset] of offsets.entries()) head.writeUInt32BE(offset, 3 + 4 * at);
  return Buffer.concat([head, ...items]);
}

/**
 * A program in the compact format.
 * @param more entries before the others, as bytes
 * @param own names that stand in the program although all programs share them
 */
export function compact(
  { glyphs, subrs = [], charset: list }: Program,
  more = Buffer.alloc(0),
  own: readonly string[] = [],
): Buffer {
  const strings = [...own, ...glyphs.map(([name]) => name).filter((name) => !NAMES.includes(name))];
  const numberOf = (name: string) =>
    strings.includes(name) ? FIRST_OWN + strings.indexOf(name) : NAMES.indexOf(name);
  const charset = Buffer.alloc(1 + 2 * (glyphs.length - 1));
  for (const [at, [name]] of glyphs.slice(1).entries()) charset.writeUInt16BE(numberOf(name), 1 + 2 * at);
  const drawn = index(glyphs.map(([, text]) => glyph(text)));
  const parts = subrs.length === 0 ? Buffer.alloc(0) : index(subrs.map(glyph));
  const own19 = Buffer.concat([Buffer.of(29), int32(6), Buffer.of(19)]);
  const hidden = parts.length === 0 ? parts : Buffer.concat([own19, parts]);
  const top = (at: number) => {
    const entry = (operator: number, ...values: number[]) =>
      Buffer.concat([...values.flatMap((value) => [Buffer.of(29), int32(value)]), Buffer.of(operator)]);
    return Buffer.concat([
      more,
      entry(15, list ?? at),
      entry(17, at + charset.length),
      entry(18, hidden.length && own19.length, at + charset.length + drawn.length),
    ]);
  };
  const begin = Buffer.concat([Buffer.of(1, 0, 4, 4), index([Buffer.from('Own')])]);
  const end = Buffer.concat([index(strings.map((name) => Buffer.from(name))), index([])]);
  const place = begin.length + index([top(0)]).length + end.length;
  return Buffer.concat([begin, index([top(place)]), end, charset, drawn, hidden]);
}
