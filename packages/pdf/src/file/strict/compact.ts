import { latin1Of } from '../../latin1.ts';
import { Unclear } from '../raw/tokens.ts';
import { viewOf } from './bytes.ts';
import { checkComponents, numberAt, operatorAt } from './charstrings.ts';
import { beginWalk, drawOperator, type Walk } from './compact-glyph.ts';
import type { OwnCodes } from './own-codes.ts';
import { numberedName, numberOfName, standardCodes } from './standard-names.ts';
import { tablesOf } from './true-type.ts';

/** Where a part of the program begins and ends. */
type Span = readonly [start: number, end: number];

/** The numbers before each operator of a dictionary. */
type Entries = ReadonlyMap<number, readonly number[]>;

const OPEN_TYPE = new Set(['OTTO']);
/** Without these tables some readers take another font. */
const NEEDED = ['maxp', 'hhea', 'hmtx'];
const [HEAD_UNITS, THOUSAND] = [18, 1000];
/** Operators of dictionaries (Adobe Technical Note 5176, 9 and 15); those of two bytes are 1200 and the second one. */
const [CHARSET, ENCODING, CHAR_STRINGS, PRIVATE, SUBRS] = [15, 16, 17, 18, 19];
const [TYPE, MATRIX, ROS, FONTS, SELECT] = [1206, 1207, 1230, 1236, 1237];
/** Numbers of names from here on stand in the program; those before are known to all readers. */
const FIRST_OWN = 391;
/** Tables of codes that all readers know, by their numbers. */
const USUAL_CODES = 1;
/** How many glyphs each of the lists names. */
const MOST_USUAL = [229, 166, 87];
const WITH_MORE = 0x80;
/** Operators of glyphs that call others (Adobe Technical Note 5177). */
const [CALL, CALL_GLOBAL, RETURN] = [10, 29, 11];
/** Glyphs are of thousandths, by the font or by each of its parts: where both change them, each reader combines these in its way. */
const [USUAL, PLAIN] = ['0.001,0,0,0.001,0,0', '1,0,0,1,0,0'];
const MATRICES = new Set([';', `${USUAL};`, `;${USUAL}`, `${USUAL};${PLAIN}`, `${PLAIN};${USUAL}`]);
const SIGNS = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '.', 'e', 'e-', '?', '-'];
const [DEEPEST, MOST_OPERANDS] = [10, 48];
/** Bytes of glyphs that are walked, by the length of the program: many glyphs may call the same parts. */
const MOST_WALKED = 50;
/** A glyph chooses one of these by a byte. */
const MOST_FONTS = 256;

/**
 * Checks a program in the compact format, alone or in OpenType: each glyph must be drawn by operators that all readers know, and have a name of its own.
 * @returns its codes and the names of its glyphs: none of one whose glyphs have numbers
 * @throws {Unclear}; {RangeError} for a program that is cut
 */
export function checkCompact(data: Uint8Array): OwnCodes {
  return new Compact(compactOf(data)).check();
}

function compactOf(data: Uint8Array): Uint8Array {
  if (!OPEN_TYPE.has(latin1Of(data, 0, 4))) return data;
  const [view, tables] = [viewOf(data), tablesOf(data, viewOf(data), OPEN_TYPE)];
  const { start, length } = tables('CFF ');
  for (const name of NEEDED) tables(name);
  if (view.getUint16(tables('head').start + HEAD_UNITS) !== THOUSAND)
    throw new Unclear('A font has units of its own');
  return data.subarray(start, start + length);
}

class Compact {
  readonly #data: Uint8Array;
  readonly #view: DataView;
  #global: readonly Span[] = [];
  readonly #known = new Map<number, readonly Span[]>();
  #left: number;

  constructor(data: Uint8Array) {
    this.#data = data;
    this.#view = viewOf(data);
    this.#left = MOST_WALKED * data.length;
  }

  check(): OwnCodes {
    const names = this.#index(this.#view.getUint8(2));
    const tops = this.#index(names.end);
    const strings = this.#index(tops.end);
    this.#global = this.#index(strings.end).items;
    const [top] = tops.items;
    if (top === undefined || tops.items.length !== 1) throw new Unclear('A font is several');
    const entries = this.#dict(top);
    if ((entries.get(TYPE)?.[0] ?? 2) !== 2) throw new Unclear('A font has glyphs of an old kind');
    const glyphs = this.#index(placeOf(entries, CHAR_STRINGS)).items;
    const isOfCharacters = entries.has(ROS);
    const dicts = isOfCharacters ? this.#index(placeOf(entries, FONTS)).items : [];
    if (dicts.length > MOST_FONTS) throw new Unclear('A font is made of too many');
    const fonts = dicts.map((span) => this.#dict(span));
    for (const font of isOfCharacters ? fonts : [new Map()])
      if (!MATRICES.has(`${entries.get(MATRIX) ?? ''};${font.get(MATRIX) ?? ''}`))
        throw new Unclear('A font has a matrix of its own');
    const glyphOf = this.#names(entries, glyphs.length, isOfCharacters ? undefined : strings.items);
    const subrs = (isOfCharacters ? fonts : [entries]).map((font) => this.#subrs(font));
    const chosen = isOfCharacters ? this.#chosen(entries, glyphs.length) : undefined;
    const components = glyphs.map((span, glyph) => {
      const own = subrs[chosen?.[glyph] ?? 0];
      if (own === undefined) throw new Unclear('A glyph belongs to no font');
      const walk = beginWalk();
      this.#walk(span, own, walk, 0);
      if (!walk.hasEnded) throw new Unclear('A glyph does not end');
      return walk.components;
    });
    checkComponents(new Map([...glyphOf].map(([name, glyph]) => [name, components[glyph] ?? []])));
    if (isOfCharacters) return { codes: new Map(), glyphs: new Set() };
    const nameOf = (key: number | string) =>
      typeof key === 'string' ? key : (numberedName(key) ?? `#${key}`);
    const nameOfGlyph = new Map([...glyphOf].map(([key, glyph]) => [glyph, nameOf(key)]));
    return {
      codes: this.#codes(placeOf(entries, ENCODING), nameOfGlyph),
      glyphs: new Set(nameOfGlyph.values()),
    };
  }

  /**
   * Of two glyphs with one name each reader takes its own.
   * @param strings of names; undefined for numbers of characters
   * @returns the glyphs by the numbers of their names, or by these
   */
  #names(
    entries: Entries,
    glyphs: number,
    strings: readonly Span[] | undefined,
  ): ReadonlyMap<number | string, number> {
    const place = placeOf(entries, CHARSET);
    const found = new Map<number | string, number>();
    const add = (name: number, glyph: number) => {
      const span = strings?.[name - FIRST_OWN];
      const key = span ? latin1Of(this.#data, ...span) : name;
      if (found.has(key)) throw new Unclear('Two glyphs of a font have one name');
      if (typeof key === 'string' && numberOfName(key) !== undefined)
        throw new Unclear('A glyph has a name that all fonts share, as one of its own');
      found.set(key, glyph);
    };
    // The first glyph stands for what is missing.
    add(0, 0);
    if (place === 0) for (let glyph = 1; glyph < glyphs; glyph++) add(glyph, glyph);
    const most = MOST_USUAL[place];
    if (most !== undefined) {
      if (strings === undefined || glyphs > most) throw new Unclear('A font does not name its glyphs');
      return found;
    }
    const format = this.#view.getUint8(place);
    if (format > 2) throw new Unclear('A font names its glyphs in an unknown way');
    for (let at = place + 1, glyph = 1; glyph < glyphs; at += 2 + format) {
      const first = this.#view.getUint16(at);
      const more =
        format === 0 ? 0 : format === 1 ? this.#view.getUint8(at + 2) : this.#view.getUint16(at + 2);
      for (let name = first; name <= first + more && glyph < glyphs; name++, glyph++) add(name, glyph);
    }
    return found;
  }

  /** A table may tell a code twice. @param names of its glyphs, by their numbers */
  #codes(place: number, names: ReadonlyMap<number, string>): Map<number, string> {
    const codes = new Map<number, string>();
    // The second one is for signs that no standard code leads to.
    if (place <= USUAL_CODES) return place === 0 ? standardCodes() : codes;
    const format = this.#view.getUint8(place);
    if ((format & ~WITH_MORE) > 1) throw new Unclear('A font tells its codes in an unknown way');
    const isOfRanges = (format & 1) === 1;
    const add = (code: number, name: string | undefined) => {
      if (codes.has(code)) throw new Unclear('A font has a code twice');
      codes.set(code, name ?? '.notdef');
    };
    let [at, glyph] = [place + 2, 1];
    for (let left = this.#view.getUint8(place + 1); left > 0; left--, at += isOfRanges ? 2 : 1) {
      const first = this.#view.getUint8(at);
      const last = first + (isOfRanges ? this.#view.getUint8(at + 1) : 0);
      for (let code = first; code <= last; code++) add(code, names.get(glyph++));
    }
    if (format < WITH_MORE) return codes;
    for (let left = this.#view.getUint8(at++); left > 0; left--, at += 3) {
      const number = this.#view.getUint16(at + 1);
      add(this.#view.getUint8(at), numberedName(number) ?? `#${number}`);
    }
    return codes;
  }

  /** Which of several dictionaries each glyph chooses. */
  #chosen(entries: Entries, count: number): Uint8Array {
    const place = placeOf(entries, SELECT);
    const format = this.#view.getUint8(place);
    const chosen = new Uint8Array(count);
    if (format === 0)
      for (let glyph = 0; glyph < count; glyph++) chosen[glyph] = this.#view.getUint8(place + 1 + glyph);
    else if (format === 3) this.#choose(place, chosen);
    else throw new Unclear('A font chooses its glyphs in an unknown way');
    return chosen;
  }

  /** By ranges, each from its first glyph to that of the next one. */
  #choose(place: number, chosen: Uint8Array): void {
    const ranges = this.#view.getUint16(place + 1);
    const firsts = Array.from({ length: ranges + 1 }, (_, range) =>
      this.#view.getUint16(place + 3 + range * 3),
    );
    const isWhole = firsts[0] === 0 && firsts.at(-1) === chosen.length;
    if (!isWhole || firsts.some((first, range) => range > 0 && first <= (firsts[range - 1] ?? 0)))
      throw new Unclear('A font does not choose each of its glyphs once');
    for (const [range, first] of firsts.slice(0, -1).entries())
      chosen.fill(this.#view.getUint8(place + 5 + range * 3), first, firsts[range + 1]);
  }

  #subrs(entries: Entries): readonly Span[] {
    const [size = 0, place = 0] = entries.get(PRIVATE) ?? [];
    if (size === 0) return [];
    const offset = placeOf(this.#dict([place, place + size]), SUBRS);
    if (offset === 0) return [];
    // Fonts often share them.
    const known = this.#known.get(place + offset) ?? this.#index(place + offset).items;
    this.#known.set(place + offset, known);
    return known;
  }

  #index(at: number): { items: readonly Span[]; end: number } {
    const count = this.#view.getUint16(at);
    if (count === 0) return { items: [], end: at + 2 };
    const size = this.#view.getUint8(at + 2);
    if (size < 1 || size > 4) throw new Unclear('A font has a list of an unknown form');
    const base = at + 2 + (count + 1) * size;
    const offset = (index: number) => base + this.#offset(at + 3 + index * size, size);
    const items = Array.from({ length: count }, (_, index): Span => [offset(index), offset(index + 1)]);
    // Each begins where the one before ends, and the first right behind the list.
    if (items[0]?.[0] !== base + 1 || items.some(([start, end]) => end < start || end > this.#data.length))
      throw new Unclear('A font ends before its glyphs');
    return { items, end: offset(count) };
  }

  #offset(start: number, size: number): number {
    let value = 0;
    for (let at = start; at < start + size; at++) value = value * 256 + this.#view.getUint8(at);
    return value;
  }

  #dict([start, end]: Span): Entries {
    const found = new Map<number, readonly number[]>();
    let operands: number[] = [];
    for (let at = start; at < end; ) {
      const byte = this.#view.getUint8(at);
      if (byte <= 21) {
        const [operator, length] = operatorAt(this.#view, at);
        if (found.has(operator)) throw new Unclear('A font tells something twice');
        found.set(operator, operands);
        operands = [];
        at += length;
      } else {
        const [value, length] = byte === 30 ? this.#real(at) : this.#number(at);
        operands.push(value);
        at += length;
      }
    }
    return found;
  }

  /** A number with a point, a half of a byte for each of its signs. */
  #real(start: number): readonly [value: number, length: number] {
    let text = '';
    for (let at = start + 1; ; at++) {
      const byte = this.#view.getUint8(at);
      for (const half of [byte >> 4, byte & 0x0f]) {
        if (half === SIGNS.length) return [Number(text), at + 1 - start];
        text += SIGNS[half];
      }
    }
  }

  /** @returns a whole number, and how many bytes it has */
  #number(at: number): readonly [value: number, length: number] {
    const byte = this.#view.getUint8(at);
    if (byte === 28) return [this.#view.getInt16(at + 1), 3];
    if (byte === 29) return [this.#view.getInt32(at + 1), 5];
    const found = numberAt(this.#view, at);
    if (found === undefined) throw new Unclear('A font has a number of an unknown form');
    return found;
  }

  #walk([start, end]: Span, subrs: readonly Span[], walk: Walk, depth: number): void {
    this.#left -= end - start;
    if (depth > DEEPEST || this.#left < 0) throw new Unclear('A glyph calls too much');
    const { operands } = walk;
    for (let at = start; at < end; ) {
      const byte = this.#view.getUint8(at);
      if (walk.hasEnded && byte !== RETURN) throw new Unclear('A glyph goes on behind its end');
      if (byte === 255) {
        operands.push(this.#view.getInt32(at + 1) / 65_536);
        at += 5;
      } else if (byte === 28 || byte >= 32) {
        const [value, length] = this.#number(at);
        operands.push(value);
        at += length;
      } else if (byte === CALL || byte === CALL_GLOBAL) {
        const list = byte === CALL ? subrs : this.#global;
        const called = list[(operands.pop() ?? Number.NaN) + biasOf(list.length)];
        if (called === undefined) throw new Unclear('A glyph calls what is not there');
        this.#walk(called, subrs, walk, depth + 1);
        at++;
      } else if (byte === RETURN) return;
      else at += drawOperator(this.#view, at, walk);
      if (operands.length > MOST_OPERANDS) throw new Unclear('A glyph has too many numbers');
    }
  }
}

/** Where something stands that an entry names; 0 without one. */
const placeOf = (entries: Entries, operator: number): number => entries.get(operator)?.[0] ?? 0;

/** Of the numbers by which parts are called. */
const biasOf = (count: number): number => (count < 1240 ? 107 : count < 33_900 ? 1131 : 32_768);
