import type { PDF, PdfDict } from '@libpdf/core';
import { numberAt } from '../objects.ts';
import { Unclear } from '../raw/tokens.ts';
import { viewOf } from './bytes.ts';
import { differencesOf, isSymbolic } from './font-entries.ts';
import { isGlyphName } from './glyph-names.ts';
import { characterOf } from './standard-names.ts';
import { type Table, tablesOf } from './true-type.ts';
import { namesOf } from './true-type-names.ts';

/** Codes that stand for the same characters in each usual encoding. */
const [FIRST, LAST] = [0x21, 0x7e];
const LAST_OF_SYMBOLS = 255;
/** Where the codes of fonts of symbols begin, in their own table. */
const SYMBOLS = 0xf000;
const GLYPH_MASK = 0xffff;
const [UNICODE, MACINTOSH, WINDOWS] = [0, 1, 3];
/** The format of a table that chooses among forms of a character. */
const OF_FORMS = 14;

/** 0 for a code that has none. */
type Glyphs = (code: number) => number;

/** Tables of codes by their kind: those of characters, of a Macintosh and of symbols. */
interface Ways {
  readonly characters: Glyphs[];
  readonly macintosh: Glyphs[];
  readonly symbols: Glyphs[];
}

/**
 * A simple font in the file has several tables that lead from codes to glyphs, and one that names glyphs, and each reader has its own order in which it
 * asks them: all must lead to the same glyphs (ISO 32000-2, 9.6.5.4).
 * @throws {Unclear}
 */
export function checkTrueTypeCodes(pdf: PDF, font: PdfDict, data: Uint8Array): void {
  const view = viewOf(data);
  const tables = tablesOf(data, view);
  const table = tables('cmap', true);
  if (table === undefined) return;
  const ways = waysOf(view, table);
  const { characters, macintosh, symbols } = ways;
  const isOfSymbols = isSymbolic(pdf, font);
  const hasEncoding = font.has('Encoding');
  if (!isOfSymbols && hasEncoding && symbols.length > 0 && characters.length + macintosh.length === 0)
    throw new Unclear('A font of characters has codes of symbols alone');
  const names = hasEncoding ? namesOf(data, view, tables('post', true)) : new Map<string | number, number>();
  const differences = charactersOf(pdf, font);
  const first = numberAt(pdf, font, 'FirstChar') ?? (isOfSymbols ? 0 : FIRST);
  const last = numberAt(pdf, font, 'LastChar') ?? (isOfSymbols ? LAST_OF_SYMBOLS : LAST);
  for (let code = Math.max(0, first); code <= Math.min(LAST_OF_SYMBOLS, last); code++) {
    const isPlain = code >= FIRST && code <= LAST;
    if (!isOfSymbols && !isPlain) continue;
    const byCode = [
      ...macintosh.map((glyphs) => glyphs(code)),
      ...symbols.map((glyphs) => glyphs(SYMBOLS + code) || glyphs(code)),
      ...(isPlain ? characters.map((glyphs) => glyphs(code)) : []),
    ];
    const character = differences.get(code) ?? (isPlain ? code : undefined);
    const byCharacter = typeof character === 'number' ? characters.map((glyphs) => glyphs(character)) : [];
    const named = names.get(character ?? code) ?? 0;
    if (isOfSymbols) checkAlike([...byCode, ...byCharacter, named]);
    else {
      checkAlike(byCode);
      const byName =
        typeof character === 'number'
          ? [...byCharacter, ...macintosh.map((glyphs) => glyphs(character)), named]
          : [named];
      checkAlike(typeof character === 'number' ? byName : [...byCode, named]);
      if (differences.has(code) && byCode.some(Boolean) && !byName.some(Boolean))
        throw new Unclear('A font has a glyph by a code, and none by the name of its character');
    }
    if (new Set(byCharacter).size > 1) throw new Unclear('A font has a character in one of its tables alone');
  }
}

/** @throws {Unclear} */
function checkAlike(glyphs: readonly number[]): void {
  if (new Set(glyphs.filter((glyph) => glyph !== 0)).size > 1)
    throw new Unclear('The tables of codes of a font lead to different glyphs');
}

/** What codes of a font stand for, where it tells them one by one: letters and digits by their codes, and glyphs of names that no reader knows. */
function charactersOf(pdf: PDF, font: PdfDict): Map<number, number | string> {
  const found = new Map<number, number | string>();
  for (const [code, name] of differencesOf(pdf, font)) {
    const character = characterOf(name) ?? (isGlyphName(name, '') ? undefined : name);
    if (character !== undefined) found.set(code, character);
  }
  return found;
}

function waysOf(view: DataView, { start, length }: Table): Ways {
  const ways: Ways = { characters: [], macintosh: [], symbols: [] };
  // Tables of one kind often stand at one place.
  const seen = new Set<string>();
  const count = view.getUint16(start + 2);
  for (let left = count, at = start + 4; left > 0; left--, at += 8) {
    const [platform, encoding, offset] = [view.getUint16(at), view.getUint16(at + 2), view.getUint32(at + 4)];
    if (offset >= length) throw new Unclear('A font ends before its tables');
    const way = wayOf(platform, encoding);
    const place = start + offset;
    if (way === undefined || view.getUint16(place) === OF_FORMS || seen.has(`${way} ${place}`)) continue;
    seen.add(`${way} ${place}`);
    ways[way].push(glyphsOf(view, place));
  }
  if (count > 0 && Object.values(ways).every((kind) => kind.length === 0))
    throw new Unclear('A font has codes of a kind that not all readers know');
  return ways;
}

/** What the codes of a table are; undefined for kinds that not all readers know. */
function wayOf(platform: number, encoding: number): keyof Ways | undefined {
  if (platform === UNICODE || (platform === WINDOWS && (encoding === 1 || encoding === 10)))
    return 'characters';
  if (platform === WINDOWS && encoding === 0) return 'symbols';
  return platform === MACINTOSH && encoding === 0 ? 'macintosh' : undefined;
}

/** By the format of a table. @throws {Unclear} for the rarer ones */
function glyphsOf(view: DataView, at: number): Glyphs {
  const format = view.getUint16(at);
  if (format === 0) return (code) => (code < 256 ? view.getUint8(at + 6 + code) : 0);
  if (format === 6) {
    const [first, count] = [view.getUint16(at + 6), view.getUint16(at + 8)];
    return (code) =>
      code >= first && code < first + count ? view.getUint16(at + 10 + (code - first) * 2) : 0;
  }
  if (format === 12) return rangesOf(view, at);
  if (format !== 4) throw new Unclear('A font has a table of codes of a rare form');
  const size = view.getUint16(at + 6);
  return (code) => {
    for (let segment = 0; segment < size; segment += 2) {
      if (view.getUint16(at + 14 + segment) < code) continue;
      const begin = view.getUint16(at + 16 + size + segment);
      if (begin > code) return 0;
      const change = view.getUint16(at + 16 + size * 2 + segment);
      const place = at + 16 + size * 3 + segment;
      const offset = view.getUint16(place);
      if (offset === 0) return (code + change) & GLYPH_MASK;
      const glyph = view.getUint16(place + offset + (code - begin) * 2);
      return glyph === 0 ? 0 : (glyph + change) & GLYPH_MASK;
    }
    return 0;
  };
}

/** Ranges of characters, each with the glyph of its first one. */
function rangesOf(view: DataView, at: number): Glyphs {
  const count = view.getUint32(at + 12);
  return (code) => {
    for (let range = at + 16; range < at + 16 + count * 12; range += 12) {
      const [first, last] = [view.getUint32(range), view.getUint32(range + 4)];
      if (code >= first && code <= last) return view.getUint32(range + 8) + code - first;
    }
    return 0;
  };
}
