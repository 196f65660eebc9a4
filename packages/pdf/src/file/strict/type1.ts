import { latin1Of } from '../../latin1.ts';
import { equal } from '../../verify/bytes.ts';
import { Unclear } from '../raw/tokens.ts';
import { checkComponents } from './charstrings.ts';
import type { OwnCodes } from './own-codes.ts';
import { standardCodes } from './standard-names.ts';
import { componentsOf, type Programs } from './type1-glyph.ts';

/** Keys of both kinds of encryption (Adobe Type 1 Font Format, 7.1 and 7.3), and the bytes before what is encrypted. */
const [PROGRAM_KEY, GLYPH_KEY, BEFORE] = [55_665, 4330, 4];
const [FACTOR, SUMMAND, LARGEST] = [52_845, 22_719, 0xffff];
/** How many bytes a font may say that its clear part has, more or less than it has: blanks behind the last word. */
const MOST_BLANKS = 4;
const SPACE = 0x20;
const MOST_PARTS = 65_535;
/** Words that stand before the bytes of a glyph or of a part of one, and behind them. */
const BEFORE_BYTES = new Set(['RD', '-|']);

/**
 * Checks a program by PostScript: readers do not run it but look for words in it, so each of these must stand there once, where all of them look; and
 * each glyph must be drawn in the one way that all of them know.
 * @param clear how many bytes stand before what is encrypted, by the file
 * @returns its codes and the names of its glyphs
 * @throws {Unclear}; {RangeError} for a glyph that is cut
 */
export function checkType1(data: Uint8Array, clear: number): OwnCodes {
  const text = latin1Of(data);
  const found = /[\s>]eexec(?:\r\n|[\r\n ])/.exec(text);
  const start = (found?.index ?? -1) + (found?.[0].length ?? 0);
  const head = text.slice(0, found?.index ?? 0);
  if (found === null || head.includes('eexec') || Math.abs(clear - start) > MOST_BLANKS)
    throw new Unclear('A font does not begin where it says');
  // What is encrypted begins with neither: some readers take it for digits (Adobe Type 1 Font Format, 7.2).
  if (/^(?:\s|[\dA-Fa-f]{4})/.test(text.slice(start, start + 4)))
    throw new Unclear('A font is written in digits');
  if (OF_HIDDEN.test(head)) throw new Unclear('A font has glyphs before those that are encrypted');
  checkWords(head);
  if (head.includes('/FontBBox') && !/\/FontBBox\s*[[{]/.test(head))
    throw new Unclear('A font has a box of its own');
  if (!MATRIX.test(head)) throw new Unclear('A font has a matrix of its own');
  const codes = codesOf(head);
  return { codes, glyphs: new Type1(decrypted(data.subarray(start), PROGRAM_KEY, BEFORE)).check() };
}

/** Of a thousandth in height; it may be narrow or slanted. */
const MATRIX =
  /\/FontMatrix\s*\[\s*0?\.00\d+\s+(?:0|0?\.0+)\s+-?(?:0|0?\.0\d*)\s+0?\.0010*\s+(?:0|0?\.0+)\s+(?:0|0?\.0+)\s*\]/;

/** Each stands there once, and not in a text or a comment; some readers find it behind a slash and blanks too. @throws {Unclear} */
function checkWords(head: string): void {
  const texts = [head, head.replaceAll(/\/(?:[\s\0]|%[^\r\n]*)+/g, '/'), outside(head)];
  for (const word of ['/FontMatrix', '/Encoding', '/FontBBox']) {
    const times = texts.map((text) => text.split(word).length - 1);
    const isOnce = times.every((count) => count === 1);
    if (!isOnce && (word !== '/FontBBox' || times.some((count) => count > 0)))
      throw new Unclear(`A font has ${word} where not all readers look`);
  }
}

/** What stands in no comment and in no text. A text ends with as many brackets as it has begun, but for those behind a mark. */
function outside(head: string): string {
  let [found, depth, isComment] = ['', 0, false];
  for (let at = 0; at < head.length; at++) {
    const character = head.charAt(at);
    if (isComment) isComment = character !== '\r' && character !== '\n';
    else if (depth > 0 && character === '\\') at++;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (depth === 0 && character === '%') isComment = true;
    else if (depth === 0) found += character;
  }
  return found;
}

/** The names of glyphs by their codes. @throws {Unclear} */
function codesOf(head: string): Map<number, string> {
  const [, list = ''] = head.split('/Encoding');
  const codes = new Map<number, string>();
  if (/^\s+StandardEncoding\s+def\b/.test(list)) return standardCodes();
  const lines = /^\s+256\s+array\b([\s\S]*?)\b(?:readonly\s+)?def\b/.exec(
    list.replace(/\b0\s+1\s+255\s*\{[^{}]*\}\s*for\b/, ''),
  );
  const rest = lines?.[1]?.replaceAll(
    /\bdup\s+(\d{1,3})\s*\/([^\s/[\](){}<>%]+)\s+put\b/g,
    (_, code: string, name: string) => {
      if (codes.has(Number(code))) throw new Unclear('A font has a code twice');
      codes.set(Number(code), name);
      return '';
    },
  );
  if (rest === undefined || !/^(?:\s|readonly)*$/.test(rest))
    throw new Unclear('A font tells its codes in an unknown way');
  return codes;
}

function decrypted(data: Uint8Array, start: number, before: number): Uint8Array {
  const plain = new Uint8Array(data.length);
  let key = start;
  for (const [at, byte] of data.entries()) {
    plain[at] = byte ^ (key >> 8);
    key = ((byte + key) * FACTOR + SUMMAND) & LARGEST;
  }
  return plain.subarray(before);
}

/** What readers look for in the part that is encrypted, and what in the one before; those of several designs at once are in none. */
const OF_HIDDEN = /\/(?:Private|lenIV|Subrs|CharStrings|Blend\w*|WeightVector|DesignVector)(?!\w)/;
const LOOKED = new RegExp(`${OF_HIDDEN.source}|/(?:FontMatrix|Encoding)(?!\\w)`);
const ORDER = ['/Private', '/lenIV', '/Subrs', '/CharStrings'];

/** The part of a program that is encrypted. */
class Type1 {
  readonly #data: Uint8Array;
  readonly #text: string;
  #at = 0;
  #before = BEFORE;
  /** How many procedures it is in. */
  #depth = 0;

  constructor(data: Uint8Array) {
    this.#data = data;
    this.#text = latin1Of(data);
  }

  /** @returns the names of its glyphs */
  check(): ReadonlySet<string> {
    const programs: Programs = { subrs: new Map(), glyphs: new Map() };
    let last = -1;
    for (let word = this.#next(); word !== undefined && word !== 'closefile'; word = this.#next()) {
      if (!word.startsWith('/')) continue;
      if (LOOKED.test(word) && !(this.#depth === 0 && ORDER.indexOf(word) > last))
        throw new Unclear(`A font has ${word} where not all readers look`);
      last = Math.max(last, ORDER.indexOf(word));
      if (NUMBERS.has(word)) this.#numbers();
      else if (ONE.has(word)) this.#one();
      if (word === '/lenIV') this.#before = this.#whole(BEFORE);
      else if (word === '/Subrs') this.#subrs(programs);
      else if (word === '/CharStrings') this.#glyphs(programs);
    }
    if (LOOKED.test(this.#text.slice(this.#at))) throw new Unclear('A font goes on behind its end');
    if (programs.glyphs.size === 0) throw new Unclear('A font has no glyphs');
    checkComponents(componentsOf(programs));
    return new Set(programs.glyphs.keys());
  }

  #subrs(programs: Programs): void {
    const count = this.#whole(MOST_PARTS);
    this.#word('array');
    for (let left = count; left > 0; left--) {
      if (this.#peek() !== 'dup') return;
      this.#next();
      const index = this.#whole(MOST_PARTS);
      if (programs.subrs.has(index) || index >= count) throw new Unclear('A font has a part of glyphs twice');
      programs.subrs.set(index, this.#bytes());
      const behind = this.#next();
      if (behind === 'noaccess') this.#word('put');
      else if (behind !== 'NP' && behind !== '|' && behind !== 'put')
        throw new Unclear('A font has parts in an unknown way');
    }
  }

  #glyphs(programs: Programs): void {
    const most = this.#whole(MOST_PARTS);
    for (const word of ['dict', 'dup', 'begin']) this.#word(word);
    for (let name = this.#next(); name !== 'end'; name = this.#next()) {
      if (!name?.startsWith('/')) throw new Unclear('A font has glyphs in an unknown way');
      const [glyph, before] = [this.#bytes(), programs.glyphs.get(name.slice(1))];
      if (before && !equal(before, glyph)) throw new Unclear('Two glyphs of a font have one name');
      programs.glyphs.set(name.slice(1), glyph);
      if (programs.glyphs.size > most) throw new Unclear('A font has more glyphs than it says');
      const behind = this.#next();
      if (behind === 'noaccess') this.#word('def');
      else if (behind !== 'ND' && behind !== '|-' && behind !== 'def')
        throw new Unclear('A font has glyphs in an unknown way');
    }
  }

  /** Some readers go on to the end of a list, wherever it is. */
  #numbers(): void {
    const begin = this.#next();
    if (begin !== '[' && begin !== '{') throw new Unclear('A font has no list where one must be');
    for (let word = this.#next(); word !== (begin === '[' ? ']' : '}'); word = this.#next())
      if (!NUMBER.test(word ?? '')) throw new Unclear('A font has a list of what are no numbers');
  }

  #one(): void {
    const word = this.#peek();
    if (word !== 'true' && word !== 'false' && !NUMBER.test(word))
      throw new Unclear('A font has no value where one must be');
  }

  #peek(): string {
    const [at, word] = [this.#at, this.#next()];
    this.#at = at;
    return word ?? '';
  }

  #word(word: string): void {
    if (this.#next() !== word) throw new Unclear(`A font lacks the word ${word}`);
  }

  #whole(most: number): number {
    const word = this.#next() ?? '';
    if (!/^\d{1,5}$/.test(word) || Number(word) > most)
      throw new Unclear('A font has no number where one must be');
    return Number(word);
  }

  /** The program of a glyph or of a part of one: how many bytes it has, a word, a blank, and these. */
  #bytes(): Uint8Array {
    const length = this.#whole(MOST_PARTS);
    if (!BEFORE_BYTES.has(this.#next() ?? '') || this.#data[this.#at] !== SPACE)
      throw new Unclear('A font has glyphs in an unknown way');
    const start = this.#at + 1;
    this.#at = start + length;
    if (this.#at > this.#data.length || length < this.#before)
      throw new Unclear('A font ends before its glyphs');
    return decrypted(this.#data.subarray(start, this.#at), GLYPH_KEY, this.#before);
  }

  /** Whether the word that ends here goes on to some readers. */
  #isOpen(word: string): boolean {
    const behind = this.#text.charAt(this.#at);
    if (behind !== '%') return behind === '\0' || behind === '\f';
    COMMENT.lastIndex = this.#at;
    return word.startsWith('/') || COMMENT.exec(this.#text)?.[0].includes('/') === true;
  }

  #skip(rest: RegExp): void {
    rest.lastIndex = this.#at;
    const [passed] = rest.exec(this.#text) ?? [];
    if (passed === undefined || LOOKED.test(passed))
      throw new Unclear('A font has a comment or a text among its glyphs');
    this.#at = rest.lastIndex;
  }

  /** The next word, with the slash before a name; a bracket is one by itself. */
  #next(): string | undefined {
    for (;;) {
      WORD.lastIndex = this.#at;
      const [word, found] = WORD.exec(this.#text) ?? [];
      if (word === undefined || found === undefined) {
        if (this.#at >= this.#text.trimEnd().length) return undefined;
        throw new Unclear('A font has a word that not all readers end alike');
      }
      this.#at = WORD.lastIndex;
      // Some readers take these for a part of the word, and what follows for no comment.
      if (found.length > 1 && this.#isOpen(found))
        throw new Unclear('A font has a word that not all readers end alike');
      if (found === '{') this.#depth++;
      if (found === '}') this.#depth--;
      if (found !== '%' && found !== '(') return found;
      this.#skip(found === '%' ? COMMENT : TEXT);
    }
  }
}

/** The rest of a comment, and of a text, in which some readers see a comment or the end of the text behind a mark. */
const COMMENT = /[^\r\n]*/y;
const TEXT = /[^()%\\/]*\)/y;
/** Anchored where the last one ended. A slash stands right before its name. */
const WORD = /[\t\n\r ]*(\/?[^\0\t\n\f\r /[\]{}()<>%]+|[[\]{}()<>%])/y;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;
/** What some readers look for too: lists of numbers, and one value. */
const NUMBERS = new Set(
  '/BlueValues /OtherBlues /FamilyBlues /FamilyOtherBlues /StemSnapH /StemSnapV /StdHW /StdVW'.split(' '),
);
const ONE = new Set('/BlueShift /BlueFuzz /BlueScale /LanguageGroup /ExpansionFactor /ForceBold'.split(' '));
