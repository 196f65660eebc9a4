/** An operand of an operator. A name is a text with its slash, a string is bytes; what is of no use here is null. */
export type Operand = number | string | Uint8Array | readonly Operand[] | null;

export interface Operator {
  readonly name: string;
  readonly operands: readonly Operand[];
  /** Where it stands in the stream, with its operands. */
  readonly start: number;
  readonly end: number;
}

/** The last operands count; no operator has more. */
const MOST_OPERANDS = 64;
/** Arrays and dictionaries in each other. */
const DEEPEST = 32;

/** Reads the operators of a content stream (ISO 32000-2, 7.8.2). Whatever stands in it, this neither throws nor stays. */
export function* readOperators(bytes: Uint8Array): Generator<Operator> {
  const reader = new ContentReader(bytes);
  let operands: Operand[] = [];
  let start = -1;
  for (let token = reader.next(0); token !== undefined; token = reader.next(0)) {
    if (start === -1) start = reader.tokenStart;
    if (!('operator' in token)) {
      operands.push(token.operand);
      if (operands.length > MOST_OPERANDS) operands.shift();
      continue;
    }
    if (token.operator === 'BI') reader.skipInlineImage();
    yield { name: token.operator, operands, start, end: reader.at };
    operands = [];
    start = -1;
  }
}

type Token = { readonly operand: Operand } | { readonly operator: string };

const WHITE = new Set([0, 9, 10, 12, 13, 32]);
const DELIMITERS = new Set(Array.from('()<>[]{}/%', (each) => each.charCodeAt(0)));
const [OPEN, CLOSE, LESS, GREATER] = [0x28, 0x29, 0x3c, 0x3e];
const [OPEN_ARRAY, CLOSE_ARRAY, SLASH, PERCENT, BACKSLASH] = [0x5b, 0x5d, 0x2f, 0x25, 0x5c];
const ESCAPES = new Map([
  [0x6e, 10],
  [0x72, 13],
  [0x74, 9],
  [0x62, 8],
  [0x66, 12],
]);
const NUMBER = /^[+-]*\d*\.?\d*(?:-\d*)?$/;

class ContentReader {
  readonly #bytes: Uint8Array;
  at = 0;
  tokenStart = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  next(depth: number): Token | undefined {
    this.#skipBlank();
    this.tokenStart = depth === 0 ? this.at : this.tokenStart;
    const byte = this.#bytes[this.at];
    if (byte === undefined) return undefined;
    if (byte === OPEN) return { operand: this.#readString() };
    if (byte === LESS && this.#bytes[this.at + 1] === LESS) return this.#readMany(2, GREATER, depth, false);
    if (byte === LESS) return { operand: this.#readHex() };
    if (byte === OPEN_ARRAY) return this.#readMany(1, CLOSE_ARRAY, depth, true);
    if (byte === SLASH) {
      this.at++;
      return { operand: `/${this.#readWord()}` };
    }
    if (DELIMITERS.has(byte)) {
      this.at++; // an end without a beginning
      return { operand: null };
    }
    return wordToken(this.#readWord());
  }

  /** Behind `BI`: dictionary, `ID`, bytes, `EI` between blanks. */
  skipInlineImage(): void {
    const file = Buffer.from(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length);
    let data = file.indexOf('ID', this.at);
    if (data === -1) data = this.at;
    for (let end = file.indexOf('EI', data + 2); end !== -1; end = file.indexOf('EI', end + 1)) {
      const [before, after] = [file[end - 1] ?? 32, file[end + 2] ?? 32];
      if (!WHITE.has(before) || !WHITE.has(after)) continue;
      this.at = end + 2;
      return;
    }
    this.at = file.length;
  }

  #skipBlank(): void {
    for (;;) {
      const byte = this.#bytes[this.at] ?? -1;
      if (WHITE.has(byte)) this.at++;
      else if (byte === PERCENT) this.#skipLine();
      else return;
    }
  }

  #skipLine(): void {
    while (this.at < this.#bytes.length && this.#bytes[this.at] !== 10 && this.#bytes[this.at] !== 13)
      this.at++;
  }

  #readWord(): string {
    const from = this.at;
    while (this.at < this.#bytes.length) {
      const byte = this.#bytes[this.at] ?? 0;
      if (WHITE.has(byte) || DELIMITERS.has(byte)) break;
      this.at++;
    }
    return Buffer.from(this.#bytes.subarray(from, this.at)).toString('latin1');
  }

  #readMany(open: number, close: number, depth: number, keep: boolean): Token {
    this.at += open;
    const items: Operand[] = [];
    for (;;) {
      this.#skipBlank();
      const byte = this.#bytes[this.at];
      if (byte === undefined || depth >= DEEPEST) break;
      if (byte === close) {
        this.at += open;
        break;
      }
      const token = this.next(depth + 1);
      if (token === undefined) break;
      if (keep && 'operand' in token) items.push(token.operand);
    }
    return { operand: keep ? items : null };
  }

  #readHex(): Uint8Array {
    const end = this.#bytes.indexOf(GREATER, this.at);
    const stop = end === -1 ? this.#bytes.length : end;
    const digits = Buffer.from(this.#bytes.subarray(this.at + 1, stop))
      .toString('latin1')
      .replaceAll(/[^0-9a-f]/gi, '');
    this.at = stop + 1;
    return Buffer.from(digits.length % 2 === 1 ? `${digits}0` : digits, 'hex');
  }

  #readString(): Uint8Array {
    const bytes: number[] = [];
    let depth = 1;
    this.at++;
    while (this.at < this.#bytes.length) {
      const byte = this.#bytes[this.at++] ?? 0;
      if (byte === BACKSLASH) {
        this.#readEscape(bytes);
        continue;
      }
      if (byte === OPEN) depth++;
      if (byte === CLOSE && --depth === 0) break;
      if (byte === 13) {
        if (this.#bytes[this.at] === 10) this.at++;
        bytes.push(10);
      } else bytes.push(byte);
    }
    return Uint8Array.from(bytes);
  }

  #readEscape(bytes: number[]): void {
    const byte = this.#bytes[this.at++] ?? 0;
    if (byte >= 0x30 && byte <= 0x37) {
      let value = byte - 0x30;
      for (let digit = 1; digit < 3; digit++) {
        const next = this.#bytes[this.at] ?? 0;
        if (next < 0x30 || next > 0x37) break;
        value = value * 8 + next - 0x30;
        this.at++;
      }
      bytes.push(value & 0xff);
    } else if (byte === 13) {
      if (this.#bytes[this.at] === 10) this.at++; // the line goes on
    } else if (byte !== 10) bytes.push(ESCAPES.get(byte) ?? byte);
  }
}

function wordToken(word: string): Token {
  if (!NUMBER.test(word) || !/\d/.test(word)) {
    return word === 'true' || word === 'false' || word === 'null' ? { operand: null } : { operator: word };
  }
  const value = Number.parseFloat(word.replace(/^[+-]*-/, '-').replace(/^\++/, ''));
  return { operand: Number.isFinite(value) ? value : 0 };
}
