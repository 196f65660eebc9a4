/** A number that one of an object may be: with the rest of a reference as most are written, or with what may stand behind it. */
const NUMBER = /(?<!\d)(\d{1,10})(?:( \d{1,5} R(?![\w.+-]))|(?=[\0\t\n\f\r %]))/g;
const GENERATION = /\d{1,5}(?=[\0\t\n\f\r %])/y;
const END = /R(?![\w.+-])/y;
const BLANKS = /[\0\t\f ]*/y;
const LINE_ENDS = /[\r\n]+/y;
const LONGEST_COMMENT = 1000;

/** Every number that looks like one of an object that is referred to, whether it is there or not: a new object must not become it. */
export function referredTo(text: string): number[] {
  const found: number[] = [];
  const gaps = new Gaps(text);
  for (const { 1: digits = '', 2: rest, index } of text.matchAll(NUMBER)) {
    if (rest !== undefined) {
      found.push(Number(digits));
      continue;
    }
    const generation = endOf(GENERATION, text, gaps.end(index + digits.length));
    if (generation !== undefined && endOf(END, text, gaps.end(generation)) !== undefined)
      found.push(Number(digits));
  }
  return found;
}

/** Blanks and comments of a text, which are gone through once, however many numbers stand before them. */
class Gaps {
  readonly #text: string;
  /** Where those end that begin with a line. */
  readonly #ends = new Map<number, number>();
  /** The line that was looked at last: from some place in it to its end. */
  #line: readonly [from: number, to: number] = [0, -1];

  constructor(text: string) {
    this.#text = text;
  }

  /** Where those end that begin at a place: there, where none does. */
  end(from: number): number {
    const lines: number[] = [];
    let at = from;
    for (;;) {
      at = endOf(BLANKS, this.#text, at) ?? at;
      if (this.#text[at] === '%') {
        const end = this.#lineEnd(at);
        if (end === this.#text.length || end - at > LONGEST_COMMENT + 1) break;
        at = end;
      }
      const next = endOf(LINE_ENDS, this.#text, at);
      if (next === undefined) break;
      at = next;
      const known = this.#ends.get(at);
      if (known !== undefined) {
        at = known;
        break;
      }
      lines.push(at);
    }
    for (const line of lines) this.#ends.set(line, at);
    return at;
  }

  #lineEnd(at: number): number {
    const [from, to] = this.#line;
    if (at >= from && at <= to) return to;
    const found = this.#text.slice(at, at + LONGEST_COMMENT + 2).search(/[\r\n]/);
    const end = found === -1 ? this.#text.length : at + found;
    if (found !== -1) this.#line = [at, end];
    return end;
  }
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
