import { latin1Of } from '../../latin1.ts';
import { nameIn, Unclear } from '../raw/tokens.ts';
import { fromHex } from './decode.ts';
import { Extent, type Path } from './extent.ts';
import { ImageEntries, imageDataEnd, type Unpacking } from './inline-image.ts';
import {
  CONTINUES_PATH,
  ENDS_PATH,
  hasValues,
  isOperator,
  OUTSIDE_OF_TEXT,
  PAINTS,
  SHOWS_TEXT,
  STARTS_PATH,
  takes,
} from './operators.ts';

/** An operand: its kind, as a letter of `operators`, and what a name says. */
export interface Operand {
  readonly kind: 'N' | 'S' | 'M' | 'A' | 'D' | 'B';
  readonly name?: string;
  readonly value?: number;
  /** Of a string: where it stands in the part that is read, with its brackets. */
  readonly span?: readonly [from: number, to: number];
  /** Whether a number is written with a point: some readers take none where a whole number is due. */
  readonly isReal?: boolean;
  /** Of a list. */
  readonly items?: readonly Operand[];
  /** Of a dictionary. */
  readonly entries?: ReadonlyMap<string, Operand>;
}

/**
 * Called for each operator that refers to something beside the content or to a colour, that paints, or that sets how; in glyphs for all.
 * `path` tells of the path that is painted.
 */
export type Uses = (operator: string, operands: readonly Operand[], path: Path) => void;

/** No operator has more; colours of many inks come near. */
const MOST_OPERANDS = 64;
/** Arrays and dictionaries in each other. */
const DEEPEST = 16;
/** From this way to draw text on, it clips what follows. */
const CLIPS = 4;
/** Longer words are no operators and no names. */
const LONGEST_WORD = 256;
/** Operators that refer to nothing beside the content are most of it. */
const REFERS = new Set([
  ...'BDC CS cs Do gs sh Tf k K g G rg RG sc SC scn SCN q Q cm BT Tm J w d Tr Tz Ts TL TD T*'.split(' '),
  ...PAINTS,
]);
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;
/** Readers keep no more digits, and larger numbers each in its way. */
const LONGEST_NUMBER = 32;
const LARGEST_NUMBER = 2 ** 31;
/** They may not stand between the beginning of a path and its painting (ISO 32000-2, 8.2). */
const INTERRUPTS_PATH = new Set(['Do', 'sh', 'BI', 'BT']);

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

const BLANK = 0x20;
const [SPACE, REGULAR] = [1, 0];
const DELIMITER = 2;
/** The class of each byte (ISO 32000-2, 7.2.3). */
const CLASSES = Uint8Array.from({ length: 256 }, (_, byte) => {
  if ([0, 9, 10, 12, 13, 32].includes(byte)) return SPACE;
  return '()<>[]{}/%'.includes(String.fromCharCode(byte)) ? DELIMITER : REGULAR;
});
const [OPEN, CLOSE, LESS, GREATER] = [0x28, 0x29, 0x3c, 0x3e];
const [OPEN_ARRAY, CLOSE_ARRAY, SLASH, PERCENT, BACKSLASH] = [0x5b, 0x5d, 0x2f, 0x25, 0x5c];

/**
 * Reads content by the letter of the standard (ISO 32000-2, 7.8.2): where a reader would have to guess, it is refused. The parts of one
 * content follow each other; each must end where a token ends.
 */
export class ContentReader {
  readonly #uses: Uses;
  readonly #unpacking: Unpacking;
  readonly #isGlyph: boolean;
  readonly #hidesLayers: boolean;
  #bytes: Uint8Array = new Uint8Array();
  #at = 0;
  #operands: Operand[] = [];
  #kinds = '';
  #hasPoint = false;
  readonly #extent = new Extent();
  #isText = false;
  /** Whether the text at hand was moved by too many numbers. */
  #isAstray = false;
  /** Whether an operator was read. */
  #hasBegun = false;
  /** Of `q`. */
  #saved = 0;
  /** The way in which the text at hand is drawn. */
  #mode = 0;
  readonly #modes: number[] = [];
  #clips = false;
  /** Whether anything that clips is more than blanks. */
  #hasShape = false;
  /** Of `BMC` and `BDC`: whether each is a layer. */
  readonly #marks: boolean[] = [];

  /** @param options whether it is what a glyph draws, whether the file has layers that are not shown, and how text is drawn at the beginning */
  constructor(uses: Uses, unpacking: Unpacking, { isGlyph = false, hidesLayers = false, mode = 0 } = {}) {
    this.#uses = uses;
    this.#unpacking = unpacking;
    this.#isGlyph = isGlyph;
    this.#hidesLayers = hidesLayers;
    this.#mode = mode;
  }

  /** @throws {Unclear} */
  read(part: Uint8Array): void {
    this.#bytes = part;
    this.#at = 0;
    while (this.#skip()) this.#step();
  }

  /** Behind the last part: what was begun must have ended, or it would go on in what this content is drawn on. @throws {Unclear} */
  end(): void {
    if (this.#hasPoint) throw new Unclear('A path is not painted');
    if (this.#marks.length > 0) throw new Unclear('Marked content does not end');
  }

  /** The bytes of each string of the operator at hand. */
  shown(): Uint8Array[] {
    return this.#operands
      .flatMap(({ items, ...one }) => items ?? [one])
      .flatMap((operand) => (operand.kind === 'S' ? [this.#textOf(operand)] : []));
  }

  /** The bytes of a string (ISO 32000-2, 7.3.4). */
  #textOf({ span: [from, to] = [0, 0] }: Operand): Uint8Array {
    const text = latin1Of(this.#bytes, from + 1, to - 1);
    if (this.#bytes[from] === LESS) return fromHex(Uint8Array.from(`${text}>`, codeOf));
    const plain = text.replaceAll(/\\(?:([0-7]{1,3})|(\n)|([\s\S]))/g, (_, octal, line, letter) =>
      octal ? String.fromCharCode(Number.parseInt(octal, 8)) : line ? '' : (ESCAPES[letter] ?? letter),
    );
    return Uint8Array.from(plain, codeOf);
  }

  #step(): void {
    const operand = this.#operand(0);
    if (operand !== undefined) {
      if (this.#kinds.length >= MOST_OPERANDS) throw new Unclear('An operator has too many operands');
      this.#operands.push(operand);
      this.#kinds += operand.kind;
      return;
    }
    const name = this.#word();
    if (name === 'BI') this.#image();
    else this.#operator(name);
    this.#operands = [];
    this.#kinds = '';
  }

  #operator(name: string): void {
    // Also in a section for newer readers (BX): some find operators that they know in an unknown word.
    if (!isOperator(name)) throw new Unclear(`An operator is unknown: ${name.slice(0, 20)}`);
    if (!takes(name, this.#kinds)) throw new Unclear(`${name} has the operands ${this.#kinds}`);
    if (!hasValues(name, this.#operands)) throw new Unclear(`${name} has a value that nobody knows`);
    this.#checkPath(name);
    this.#checkText(name);
    if (name === 'd0' || name === 'd1') {
      if (!this.#isGlyph || this.#hasBegun) throw new Unclear(`${name} is in the wrong place`);
    } else if (name === 'q') this.#saved++;
    else if (name === 'Q' && --this.#saved < 0) throw new Unclear('Q has nothing to go back to');
    else if (name === 'BMC' || name === 'BDC' || name === 'EMC') this.#mark(name);
    this.#hasBegun = true;
    if (this.#isGlyph || REFERS.has(name)) this.#uses(name, this.#operands, this.#extent);
  }

  /** Some readers show the text of a hidden layer that begins or ends in the middle of text, or set what follows elsewhere. */
  #mark(name: string): void {
    const isLayer = name === 'EMC' ? this.#marks.pop() : this.#operands[0]?.name === 'OC';
    if (isLayer === undefined) throw new Unclear('EMC ends what did not begin');
    if (name !== 'EMC') this.#marks.push(isLayer);
    if (isLayer && this.#isText && this.#hidesLayers)
      throw new Unclear('A layer begins or ends in text, and some are hidden');
  }

  #checkPath(name: string): void {
    if (this.#hasPoint && INTERRUPTS_PATH.has(name)) throw new Unclear(`${name} stands in a path`);
    this.#extent.see(name, this.#operands);
    if (STARTS_PATH.has(name)) this.#hasPoint = true;
    else if (CONTINUES_PATH.has(name) && !this.#hasPoint)
      throw new Unclear(`${name} has no point to go on from`);
    else if (ENDS_PATH.has(name)) this.#hasPoint = false;
    else if ((name === 'W' || name === 'W*') && !this.#hasPoint) throw new Unclear(`${name} has no path`);
  }

  #checkText(name: string): void {
    if (name === 'BT' || name === 'ET') {
      if (this.#isText === (name === 'BT')) throw new Unclear(`${name} is in the wrong place`);
      // Some readers clip as soon as a way says so, others when text was drawn in it, and by blanks to nothing or not at all.
      if (this.#clips && (this.#mode < CLIPS || !this.#hasShape)) throw new Unclear('Text clips by nothing');
      this.#isText = name === 'BT';
      this.#isAstray = false;
      this.#clips = false;
      this.#hasShape = false;
    } else if (this.#isText && OUTSIDE_OF_TEXT.has(name)) throw new Unclear(`${name} stands in text`);
    else if (name === 'q') this.#modes.push(this.#mode);
    else if (name === 'Q') this.#mode = this.#modes.pop() ?? 0;
    else if (name === 'Td') this.#isAstray ||= this.#operands.length > 2;
    else if (name === 'Tr') this.#mode = this.#operands[0]?.value ?? 0;
    else if (SHOWS_TEXT.has(name)) {
      if (!this.#isText) throw new Unclear(`${name} stands outside of text`);
      if (this.#isAstray) throw new Unclear('Text stands where readers do not agree');
      if (this.#clips && this.#mode < CLIPS) throw new Unclear('Text clips what is drawn in the same text');
      this.#clips ||= this.#mode >= CLIPS;
      this.#hasShape ||= this.#mode >= CLIPS && this.shown().some(isMoreThanBlank);
    }
  }

  /** @returns undefined where the word of an operator stands */
  #operand(depth: number): Operand | undefined {
    if (depth > DEEPEST) throw new Unclear('Values nest too deep');
    const byte = this.#bytes[this.#at] ?? 0;
    if (byte === SLASH) return { kind: 'M', name: this.#name() };
    if (byte === OPEN) return this.#literal();
    if (byte === LESS) return this.#bytes[this.#at + 1] === LESS ? this.#dict(depth) : this.#hex();
    if (byte === OPEN_ARRAY) return this.#array(depth);
    if (CLASSES[byte] === DELIMITER)
      throw new Unclear(`${String.fromCharCode(byte)} ends what did not begin`);
    const start = this.#at;
    const word = this.#word();
    if (NUMBER.test(word)) return numberOf(word);
    if (word === 'true' || word === 'false' || word === 'null') return { kind: 'B', name: word };
    if (/^[-+.\d]/.test(word)) throw new Unclear(`No number: ${word.slice(0, 20)}`);
    this.#at = start;
    return undefined;
  }

  /** Passes white space and comments. @returns whether something stands behind them */
  #skip(): boolean {
    for (; this.#at < this.#bytes.length; this.#at++) {
      const byte = this.#bytes[this.#at] ?? 0;
      if (byte === PERCENT) this.#comment();
      else if (CLASSES[byte] !== SPACE) return true;
    }
    return false;
  }

  #comment(): void {
    while (this.#bytes[this.#at] !== 10 && this.#bytes[this.#at] !== 13) {
      if (++this.#at >= this.#bytes.length) throw new Unclear('A part of the content ends in a comment');
    }
  }

  #word(): string {
    const start = this.#at;
    while (this.#at < this.#bytes.length && CLASSES[this.#bytes[this.#at] ?? 0] === REGULAR) this.#at++;
    return latin1Of(this.#bytes, start, Math.min(this.#at, start + LONGEST_WORD));
  }

  #name(): string {
    this.#at++;
    return nameIn(this.#word());
  }

  #literal(): Operand {
    const start = this.#at;
    let open = 0;
    for (; this.#at < this.#bytes.length; this.#at++) {
      const byte = this.#bytes[this.#at];
      if (byte === 13) throw new Unclear('A string has an end of line that readers take each in its way');
      if (byte === BACKSLASH) this.#checkCode(++this.#at);
      else if (byte === OPEN) open++;
      else if (byte === CLOSE && --open === 0) {
        this.#at++;
        return { kind: 'S', span: [start, this.#at] };
      }
    }
    throw new Unclear('A string has no end');
  }

  /** Of a character, behind a backslash: no digits but octal ones, up to 377. */
  #checkCode(at: number): void {
    const [first = 0, second = 0, third = 0] = this.#bytes.subarray(at, at + 3);
    const isHigh = first >= 0x34 && [second, third].every((digit) => digit >= 0x30 && digit <= 0x37);
    if ((first >= 0x34 && first <= 0x37 && isHigh) || first === 0x38 || first === 0x39)
      throw new Unclear('A string has a code that is not valid');
  }

  #hex(): Operand {
    const end = this.#bytes.indexOf(GREATER, this.#at);
    if (end === -1) throw new Unclear('A string has no end');
    const digits = latin1Of(this.#bytes, this.#at + 1, end);
    if (!/^[0-9A-Fa-f\0\t\n\f\r ]*$/.test(digits))
      throw new Unclear('A string has digits that are not valid');
    const start = this.#at;
    this.#at = end + 1;
    return { kind: 'S', span: [start, this.#at] };
  }

  #array(depth: number): Operand {
    this.#at++;
    const items: Operand[] = [];
    while (this.#skip()) {
      if (this.#bytes[this.#at] === CLOSE_ARRAY) {
        this.#at++;
        return { kind: 'A', items };
      }
      const item = this.#operand(depth + 1);
      if (item === undefined) throw new Unclear('An operator stands in a list');
      items.push(item);
    }
    throw new Unclear('A list has no end');
  }

  #dict(depth: number): Operand {
    this.#at += 2;
    const entries = new Map<string, Operand>();
    while (this.#skip()) {
      if (this.#bytes[this.#at] === GREATER && this.#bytes[this.#at + 1] === GREATER) {
        this.#at += 2;
        return { kind: 'D', entries };
      }
      const key = this.#operand(depth + 1);
      if (key?.kind !== 'M') throw new Unclear('An entry of a dictionary has no name');
      const value = this.#skip() ? this.#operand(depth + 1) : undefined;
      if (value === undefined) throw new Unclear('An entry of a dictionary has no value');
      if (entries.has(key.name ?? '')) throw new Unclear('A dictionary has an entry twice');
      entries.set(key.name ?? '', value);
    }
    throw new Unclear('A dictionary has no end');
  }

  /** Behind `BI`: entries, `ID`, one byte of white space, data whose length the entries tell, `EI`. */
  #image(): void {
    if (this.#kinds !== '') throw new Unclear('BI has operands');
    this.#checkText('BI');
    this.#checkPath('BI');
    const entries = new ImageEntries();
    for (;;) {
      if (!this.#skip()) throw new Unclear('An inline image has no data');
      const key = this.#operand(0);
      if (key === undefined) break;
      if (key.kind !== 'M' || key.name === undefined || !this.#skip())
        throw new Unclear('An entry of an inline image has no name');
      if (entries.has(key.name)) throw new Unclear('An inline image has an entry twice');
      if (this.#bytes[this.#at] === OPEN_ARRAY) entries.lists.add(key.name);
      entries.set(key.name, this.#imageValue());
    }
    if (this.#word() !== 'ID' || CLASSES[this.#bytes[this.#at] ?? 0] !== SPACE)
      throw new Unclear('An inline image has no data');
    this.#at = imageDataEnd(this.#bytes, this.#at + 1, entries, this.#unpacking);
    const space = entries.get('CS') ?? entries.get('ColorSpace');
    this.#uses('BI', space ?? [], this.#extent);
  }

  /** A list is its items. */
  #imageValue(): readonly Operand[] {
    if (this.#bytes[this.#at] !== OPEN_ARRAY) {
      const value = this.#operand(0);
      if (value === undefined) throw new Unclear('An entry of an inline image has no value');
      return [value];
    }
    this.#at++;
    const items: Operand[] = [];
    while (this.#skip() && this.#bytes[this.#at] !== CLOSE_ARRAY) {
      const item = this.#operand(0);
      if (item === undefined || items.length >= MOST_OPERANDS)
        throw new Unclear('An operator stands in a list');
      items.push(item);
    }
    this.#at++;
    return items;
  }
}

const isMoreThanBlank = (text: Uint8Array) => text.some((code) => code !== BLANK);
const codeOf = (character: string) => character.charCodeAt(0);

function numberOf(word: string): Operand {
  const value = Number(word);
  if (word.length > LONGEST_NUMBER || Math.abs(value) >= LARGEST_NUMBER)
    throw new Unclear(`A number is too long or too large: ${word.slice(0, 20)}`);
  return word.includes('.') ? { kind: 'N', value, isReal: true } : { kind: 'N', value };
}
