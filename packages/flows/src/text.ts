import type { FlowText } from '@symbolon/protocol';

/** A piece of a text: characters as they are, a tag that a value is put in for, or a link around such pieces. */
export type TextPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tag'; readonly key: string }
  | {
      readonly kind: 'link';
      readonly address: readonly PlainPiece[];
      readonly pieces: readonly PlainPiece[];
    };
export type PlainPiece = Exclude<TextPiece, { kind: 'link' }>;

/** The text of an element; older packages have it in other members (wire 13.6). */
export function bodyOf(element: FlowText): string {
  return element.body ?? element.text ?? element.label ?? '';
}

/** Reads a text (wire 13.6). Each character is looked at a fixed number of times, whatever stands in the text. */
export function parseText(source: string): TextPiece[] {
  return new Reader(withoutHtml(source)).read();
}

const TAG = /\{\{\s*([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*){0,2})\s*\}\}/iy;
/** Characters that neither begin nor end anything. */
const ORDINARY = /[^\\{[\]]+/y;
const LINK_START = '[a href=';
const LINK_END = '[/a]';
/** What a backslash before it makes an ordinary character. */
const ESCAPED = '[]{\\';

class Reader {
  readonly #source: string;
  /** Behind the last place where a link can end: a link that begins later has no end. */
  readonly #lastEnd: number;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
    this.#lastEnd = source.lastIndexOf(LINK_END);
  }

  read(): TextPiece[] {
    const pieces: TextPiece[] = [];
    while (this.#at < this.#source.length) {
      const link = this.#readLink();
      if (link !== undefined) pieces.push(link);
      else addPiece(pieces, this.#readPiece());
    }
    return pieces;
  }

  /** A link that begins here and ends; otherwise nothing is read. */
  #readLink(): TextPiece | undefined {
    const start = this.#at;
    if (start > this.#lastEnd || !this.#source.startsWith(LINK_START, start)) return undefined;
    this.#at += LINK_START.length;
    const address = this.#readUntil(']');
    const pieces = address && this.#readUntil(LINK_END);
    if (pieces !== undefined) return { kind: 'link', address: unquoted(address ?? []), pieces };
    this.#at = start;
    return undefined;
  }

  /** The pieces before an end that is not escaped, and the place behind it; undefined when a link begins or nothing ends. */
  #readUntil(end: string): PlainPiece[] | undefined {
    const pieces: PlainPiece[] = [];
    while (this.#at < this.#source.length) {
      if (this.#source.startsWith(end, this.#at)) {
        this.#at += end.length;
        return pieces;
      }
      // A link that is not closed before the next one begins is no link.
      if (this.#source.startsWith(LINK_START, this.#at)) return undefined;
      addPiece(pieces, this.#readPiece());
    }
    return undefined;
  }

  /** A tag, an escaped character, or the characters that stand here as far as they begin nothing. */
  #readPiece(): PlainPiece {
    const character = this.#source.charAt(this.#at);
    const next = this.#source.charAt(this.#at + 1);
    if (character === '\\' && next !== '' && ESCAPED.includes(next)) {
      this.#at += 2;
      return { kind: 'text', text: next };
    }
    TAG.lastIndex = this.#at;
    const key = character === '{' ? TAG.exec(this.#source)?.[1] : undefined;
    if (key !== undefined) {
      this.#at = TAG.lastIndex;
      return { kind: 'tag', key: key.toLowerCase() };
    }
    ORDINARY.lastIndex = this.#at;
    const text = ORDINARY.exec(this.#source)?.[0] ?? character;
    this.#at += text.length;
    return { kind: 'text', text };
  }
}

/** Adds a piece, or its characters to a text before it. */
function addPiece(pieces: TextPiece[], piece: PlainPiece): void {
  const last = pieces.at(-1);
  if (piece.kind === 'text' && last?.kind === 'text')
    pieces[pieces.length - 1] = { kind: 'text', text: last.text + piece.text };
  else pieces.push(piece);
}

/** An address without the quotation marks around it. */
function unquoted(address: readonly PlainPiece[]): readonly PlainPiece[] {
  const [first, last] = [address[0], address.at(-1)];
  if (first?.kind !== 'text' || last?.kind !== 'text') return address;
  const mark = first.text.charAt(0);
  const isQuoted = (mark === '"' || mark === "'") && last.text.endsWith(mark);
  if (!isQuoted || (first === last && first.text.length === 1)) return address;
  const inner = [...address];
  inner[0] = { kind: 'text', text: first.text.slice(1) };
  const end = inner.at(-1);
  if (end?.kind === 'text') inner[inner.length - 1] = { kind: 'text', text: end.text.slice(0, -1) };
  return inner;
}

/** The text without HTML tags and comments. What is left when they are out is not looked at again. */
function withoutHtml(source: string): string {
  return withoutComments(source).replace(/<\/?[a-z][^<>]*>/gi, '');
}

function withoutComments(source: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    const start = source.indexOf('<!--', from);
    const end = start === -1 ? -1 : source.indexOf('-->', start + 4);
    if (end === -1) return kept + source.slice(from);
    kept += source.slice(from, start);
    from = end + 3;
  }
}
