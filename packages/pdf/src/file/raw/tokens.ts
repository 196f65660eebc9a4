/**
 * A value as it stands in the file. Dictionaries keep every entry, also those whose name comes twice: readers do not agree
 * on which of them counts.
 */
export type Raw =
  /** Whether it is written with a point: some readers take such a one for none where it must be whole. */
  | { readonly kind: 'number'; readonly value: number; readonly isReal: boolean }
  | { readonly kind: 'name'; readonly value: string }
  | { readonly kind: 'ref'; readonly number: number; readonly generation: number }
  | { readonly kind: 'string' | 'null' | 'boolean' }
  | { readonly kind: 'array'; readonly items: readonly Raw[] }
  | RawDict;

export interface RawDict {
  readonly kind: 'dict';
  readonly entries: readonly { readonly key: string; readonly value: Raw; readonly text: string }[];
}

/** What is read here is no valid PDF, or stands in a form on which readers may differ. */
export class Unclear extends Error {
  override readonly name: string = 'Unclear';
}

/** The file says two things of one object, and both can be true for a reader: repairing it would choose for them. */
export class Contradiction extends Unclear {
  override readonly name = 'Contradiction';
}

/** Values nest a few levels; dictionaries and lists that are read here are short. */
const DEEPEST = 32;
const MOST_VALUES = 100_000;

/** Longer ones are cut by some readers (ISO 32000-1, annex C). */
const LONGEST_NAME = 127;
/** A code without two digits, and one of a control character. */
const ODD_CODE = /#(?![0-9A-Fa-f]{2})|#(?:[01][0-9A-Fa-f]|7[Ff])/;
/** White space to some readers. */
const ODD_BYTE = /[\x80\xff]/;
const CODE = /#([0-9A-Fa-f]{2})/g;
/** The mark of a text by UTF-8, by which some begin to read a name. */
const MARK = '\xef\xbb\xbf';

/**
 * A name as its bytes say it, each a character.
 * @param text behind the slash
 * @throws {Unclear} for one that readers cut, end or decode in different ways
 */
export function nameIn(text: string): string {
  if (ODD_CODE.test(text) || ODD_BYTE.test(text)) throw new Unclear('A name has a code that is not valid');
  const name = text.includes('#')
    ? text.replaceAll(CODE, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    : text;
  if (name.length > LONGEST_NAME) throw new Unclear('A name is too long');
  if (name === '') throw new Unclear('A name is empty');
  if (name.startsWith(MARK)) throw new Unclear('A name begins with a mark');
  return name;
}

/** The name of an entry. @throws {Unclear} also where it has a code beyond ASCII: some find it by its bytes, others by its letters */
export function keyIn(text: string): string {
  const name = nameIn(text);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is beyond ASCII
  if (text.includes('#') && /[^\x00-\x7f]/.test(name))
    throw new Unclear('The name of an entry is beyond ASCII');
  return name;
}

const SPACE = /[\0\t\n\f\r ]/;
const REGULAR = /[^\0\t\n\f\r ()<>[\]{}/%]/;

/** Reads values from a text in which each character is a byte. */
export class RawReader {
  readonly text: string;
  at: number;
  #values = 0;

  constructor(text: string, at = 0) {
    this.text = text;
    this.at = at;
  }

  /** Passes white space and comments. */
  skip(): void {
    for (let character = this.text[this.at]; character !== undefined; character = this.text[this.at]) {
      if (SPACE.test(character)) this.at++;
      else if (character === '%') this.#skipLine();
      else return;
    }
  }

  /** @returns undefined when something else stands here: then nothing is passed */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found) this.at += found[0].length;
    return found ?? undefined;
  }

  /** @throws {Unclear} */
  value(depth = 0): Raw {
    if (depth > DEEPEST || ++this.#values > MOST_VALUES) throw new Unclear('Values nest too deep');
    this.skip();
    const ref = this.match(/(\d{1,10})[\0\t\n\f\r ]+(\d{1,5})[\0\t\n\f\r ]+R(?![^\0\t\n\f\r ()<>[\]{}/%])/y);
    if (ref) return { kind: 'ref', number: Number(ref[1]), generation: Number(ref[2]) };
    // Bounded, so that it is not tried again for each digit of a long one.
    const number = this.match(/[+-]?(?:\d{1,64}(?:\.\d{0,64})?|\.\d{1,64})(?![^\0\t\n\f\r ()<>[\]{}/%])/y);
    if (number) return { kind: 'number', value: Number(number[0]), isReal: number[0].includes('.') };
    if (this.match(/<</y)) return this.#dict(depth);
    if (this.match(/\[/y)) return this.#array(depth);
    if (this.text[this.at] === '/') return { kind: 'name', value: nameIn(this.#nameText()) };
    if (this.text[this.at] === '(') return this.#literal();
    if (this.match(/<[0-9A-Fa-f\0\t\n\f\r ]*>/y)) return { kind: 'string' };
    if (this.match(/null(?![^\0\t\n\f\r ()<>[\]{}/%])/y)) return { kind: 'null' };
    if (this.match(/(?:true|false)(?![^\0\t\n\f\r ()<>[\]{}/%])/y)) return { kind: 'boolean' };
    throw new Unclear(`No value at ${this.at}`);
  }

  /** @throws {Unclear} when no dictionary stands here, or a name comes twice in it */
  dict(): RawDict {
    const value = this.value();
    if (value.kind !== 'dict') throw new Unclear('There is no dictionary');
    return value;
  }

  #dict(depth: number): RawDict {
    const entries: RawDict['entries'][number][] = [];
    const names = new Set<string>();
    for (;;) {
      this.skip();
      if (this.match(/>>/y)) return { kind: 'dict', entries };
      if (this.text[this.at] !== '/') throw new Unclear('An entry of a dictionary has no name');
      const key = keyIn(this.#nameText());
      if (names.has(key)) throw new Unclear(`/${key} stands twice in a dictionary`);
      names.add(key);
      this.skip();
      const start = this.at;
      const value = this.value(depth + 1);
      entries.push({ key, value, text: this.text.slice(start, this.at) });
    }
  }

  #array(depth: number): Raw {
    const items: Raw[] = [];
    for (;;) {
      this.skip();
      if (this.match(/\]/y)) return { kind: 'array', items };
      items.push(this.value(depth + 1));
    }
  }

  #nameText(): string {
    const start = ++this.at;
    while (this.at < this.text.length && REGULAR.test(this.text[this.at] ?? ' ')) this.at++;
    return this.text.slice(start, this.at);
  }

  #literal(): Raw {
    let open = 0;
    for (; this.at < this.text.length; this.at++) {
      const character = this.text[this.at];
      if (character === '\\') this.at++;
      else if (character === '(') open++;
      else if (character === ')' && --open === 0) {
        this.at++;
        return { kind: 'string' };
      }
    }
    throw new Unclear('A string has no end');
  }

  #skipLine(): void {
    while (this.at < this.text.length && !/[\r\n]/.test(this.text[this.at] ?? '\n')) this.at++;
  }
}

export function entryOf(dict: RawDict, key: string): Raw | undefined {
  const value = dict.entries.find((entry) => entry.key === key)?.value;
  return value?.kind === 'null' ? undefined : value;
}

/** @throws {Unclear} when it is there and no whole number from 0 on, or is written with a point */
export function wholeNumber(dict: RawDict, key: string): number | undefined {
  const value = entryOf(dict, key);
  if (value === undefined) return undefined;
  if (value.kind !== 'number' || !Number.isSafeInteger(value.value) || value.value < 0 || value.isReal)
    throw new Unclear(`/${key} is no number`);
  return value.value;
}
