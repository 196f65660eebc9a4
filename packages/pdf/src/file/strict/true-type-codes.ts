import { type PDF, PdfArray, type PdfDict } from '@libpdf/core';
import { dictAt, numberAt } from '../objects.ts';
import { resolve } from '../page-tree.ts';
import { Unclear } from '../raw/tokens.ts';
import { type Table, tablesOf } from './true-type.ts';

/** Codes that stand for the same characters in each usual encoding. */
const [FIRST, LAST] = [0x21, 0x7e];
const SYMBOLIC = 4;
/** Where the codes of fonts of symbols begin, in their own table. */
const SYMBOLS = 0xf000;
const DIGITS = 'zero one two three four five six seven eight nine'.split(' ');
const LAST_CODE = 0xffff;

type Glyphs = (code: number) => number;

/** By the kind of a table of codes: those of characters, of a Macintosh and of symbols. */
interface Ways {
  readonly characters?: Glyphs;
  readonly macintosh?: Glyphs;
  readonly symbols?: Glyphs;
}

/**
 * A simple font in the file has several tables that lead from codes to glyphs, and each reader has its own order in which it asks them: all must lead
 * to the same glyphs (ISO 32000-2, 9.6.5.4).
 * @throws {Unclear}
 */
export function checkCodes(pdf: PDF, font: PdfDict, data: Uint8Array): void {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const table = tablesOf(data, view)('cmap', true);
  if (table === undefined) return;
  const ways = waysOf(view, table);
  const isSymbolic = ((numberAt(pdf, dictAt(pdf, font, 'FontDescriptor'), 'Flags') ?? 0) & SYMBOLIC) !== 0;
  if (!isSymbolic && font.has('Encoding') && ways.symbols && !ways.characters && !ways.macintosh)
    throw new Unclear('A font of characters has codes of symbols alone');
  const [first, last] = [numberAt(pdf, font, 'FirstChar') ?? FIRST, numberAt(pdf, font, 'LastChar') ?? LAST];
  const characters = isSymbolic ? differencesOf(pdf, font) : new Map<number, number>();
  for (let code = Math.max(FIRST, first); code <= Math.min(LAST, last); code++) {
    const symbol = ways.symbols?.(SYMBOLS + code) || ways.symbols?.(code);
    const found = [
      ...[ways.characters?.(characters.get(code) ?? code), ways.macintosh?.(code), symbol],
    ].filter((glyph) => glyph);
    if (new Set(found).size > 1) throw new Unclear('The tables of codes of a font lead to different glyphs');
  }
}

/** The letters and digits that codes of a font stand for, where it tells them one by one. */
function differencesOf(pdf: PDF, font: PdfDict): Map<number, number> {
  const found = new Map<number, number>();
  const list = resolve(pdf, dictAt(pdf, font, 'Encoding')?.get('Differences'));
  let code = 0;
  for (const item of list instanceof PdfArray ? list.toArray() : []) {
    const value = resolve(pdf, item);
    if (value?.type === 'number') code = value.value;
    else if (value?.type === 'name') {
      const character = DIGITS.includes(value.value) ? `${DIGITS.indexOf(value.value)}` : value.value;
      if (character.length === 1) found.set(code, character.charCodeAt(0));
      code++;
    }
  }
  return found;
}

function waysOf(view: DataView, { start, length }: Table): Ways {
  const ways: { -readonly [Way in keyof Ways]: Glyphs } = {};
  for (let left = view.getUint16(start + 2), at = start + 4; left > 0; left--, at += 8) {
    const [platform, encoding, offset] = [view.getUint16(at), view.getUint16(at + 2), view.getUint32(at + 4)];
    if (offset >= length) throw new Unclear('A font ends before its tables');
    const glyphs = glyphsOf(view, start + offset);
    if (!glyphs) continue;
    if (platform === 3 && encoding === 1) ways.characters = glyphs;
    else if (platform === 3 && encoding === 0) ways.symbols = glyphs;
    else if (platform === 1 && encoding === 0) ways.macintosh = glyphs;
  }
  return ways;
}

/** By the format of a table; undefined for the rarer ones. */
function glyphsOf(view: DataView, at: number): Glyphs | undefined {
  const format = view.getUint16(at);
  if (format === 0) return (code) => (code < 256 ? view.getUint8(at + 6 + code) : 0);
  if (format === 6) {
    const [first, count] = [view.getUint16(at + 6), view.getUint16(at + 8)];
    return (code) =>
      code >= first && code < first + count ? view.getUint16(at + 10 + (code - first) * 2) : 0;
  }
  if (format !== 4) return undefined;
  const size = view.getUint16(at + 6);
  return (code) => {
    for (let segment = 0; segment < size; segment += 2) {
      if (view.getUint16(at + 14 + segment) < code) continue;
      const begin = view.getUint16(at + 16 + size + segment);
      if (begin > code) return 0;
      const change = view.getUint16(at + 16 + size * 2 + segment);
      const place = at + 16 + size * 3 + segment;
      const offset = view.getUint16(place);
      if (offset === 0) return (code + change) & LAST_CODE;
      const glyph = view.getUint16(place + offset + (code - begin) * 2);
      return glyph === 0 ? 0 : (glyph + change) & LAST_CODE;
    }
    return 0;
  };
}
