import { type PDF, PdfArray, type PdfDict, PdfNumber, type PdfStream } from '@libpdf/core';
import { resolve } from '../file/page-tree.ts';
import { type Operand, type Operator, readOperators } from './content.ts';
import { apply, IDENTITY, type Matrix, multiply, type Segment } from './geometry.ts';
import type { ShownFont, ShownGlyph, ShownText } from './glyphs.ts';
import { type Content, formContent, formNamed } from './streams.ts';

/** An operator that shows text, and what it shows. */
export interface Show {
  /** Of the Form XObject; null for the content of the page. */
  readonly form: number | null;
  /** Which drawing of that content it is: a form can be drawn several times. */
  readonly drawing: number;
  readonly operator: Operator;
  readonly lead: string;
  readonly resource: string;
  readonly font: ShownFont;
  readonly size: number;
  readonly spacing: number;
  readonly wordSpacing: number;
  readonly stretch: number;
  /** From text space to the page. */
  readonly matrix: Matrix;
  readonly glyphs: readonly PlacedGlyph[];
  /** Where the pen ends, in text space. */
  readonly width: number;
  /** Texts that stand in place of what is shown, as bytes of the stream. */
  readonly replacements: readonly (readonly [number, number])[];
}

export interface PlacedGlyph {
  /** In hexadecimal. */
  readonly code: string;
  readonly text: string;
  /** Where the pen is before, and how far it moves, in text space. */
  readonly at: number;
  readonly width: number;
  /** The font's own width, in thousandths. */
  readonly own: number;
}

export interface PageText {
  readonly shows: readonly Show[];
  /** Edges of what is painted or clipped, on the page. */
  readonly edges: readonly Segment[];
}

/** The two readers of the page do not agree on what its operators show. */
class Unreadable extends Error {}

/** A drawing of a map has this many; a contract has some hundreds. */
const MOST_EDGES = 20_000;
/** Forms in forms. */
const DEEPEST = 12;
/** Forms that a page draws. */
const MOST_DRAWINGS = 2000;

/** Follows the operators of a page and of the forms that it draws. @throws when its text cannot be read */
export function readShows(pdf: PDF, content: Content, shown: ShownText): PageText {
  const reader = new PageReader(pdf, shown);
  reader.read(content, null, IDENTITY);
  if (reader.next !== shown.length) throw new Unreadable();
  return reader;
}

/** Whether a page, or a form that it draws, shows any text. */
export function showsText(pdf: PDF, content: Content): boolean {
  const seen = new Set<PdfStream>();
  const waiting = [content];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const { name, operands } of readOperators(next.bytes)) {
      if (SHOWING.has(name)) return true;
      if (name !== 'Do' || typeof operands[0] !== 'string') continue;
      const form = formNamed(pdf, next.resources, operands[0].slice(1));
      if (!form || seen.has(form.stream)) continue;
      seen.add(form.stream);
      waiting.push(formContent(pdf, form.stream, next.resources));
    }
  }
  return false;
}

const SHOWING: ReadonlySet<string> = new Set(['Tj', 'TJ', "'", '"']);
const PAINTING: ReadonlySet<string> = new Set(['S', 's', 'f', 'F', 'f*', 'B', 'B*', 'b', 'b*', 'n']);

interface State {
  matrix: Matrix;
  font: string | undefined;
  size: number;
  spacing: number;
  wordSpacing: number;
  stretch: number;
  leading: number;
  rise: number;
}

const START: State = {
  matrix: IDENTITY,
  font: undefined,
  size: 0,
  spacing: 0,
  wordSpacing: 0,
  stretch: 1,
  leading: 0,
  rise: 0,
};

class PageReader implements PageText {
  readonly shows: Show[] = [];
  readonly edges: Segment[] = [];
  next = 0;
  readonly #pdf: PDF;
  readonly #shown: ShownText;
  #drawings = 0;
  #state: State = { ...START };
  readonly #saved: State[] = [];
  #line: Matrix = IDENTITY;
  #text: Matrix = IDENTITY;
  #path: Segment[] = [];
  #from: readonly [number, number] = [0, 0];
  #pen: readonly [number, number] = [0, 0];
  #marked: (readonly [number, number] | null)[] = [];

  constructor(pdf: PDF, shown: ShownText) {
    this.#pdf = pdf;
    this.#shown = shown;
  }

  read(content: Content, form: number | null, matrix: Matrix, depth = 0): void {
    const drawing = this.#drawings++;
    if (depth > DEEPEST || drawing > MOST_DRAWINGS) throw new Unreadable();
    const [state, saved] = [{ ...this.#state }, this.#saved.length];
    this.#state.matrix = multiply(matrix, this.#state.matrix);
    for (const operator of readOperators(content.bytes)) {
      const { name, operands } = operator;
      if (SHOWING.has(name)) this.#show(operator, form, drawing);
      else if (name === 'Do') this.#draw(operands[0], content, depth);
      else if (name === 'Q') {
        // A form gives back no more than it saved.
        if (this.#saved.length > saved) this.#state = this.#saved.pop() ?? this.#state;
      } else if (name === 'BDC' || name === 'BMC') this.#mark(operator, content.bytes);
      else this.#follow(name, numbersOf(operands), operands);
    }
    this.#saved.length = saved;
    this.#state = state;
  }

  #draw(name: Operand | undefined, content: Content, depth: number): void {
    if (typeof name !== 'string') return;
    const form = formNamed(this.#pdf, content.resources, name.slice(1));
    if (!form) return;
    const matrix = matrixOf(this.#pdf, form.stream) ?? IDENTITY;
    const [line, text, marked] = [this.#line, this.#text, this.#marked];
    this.#marked = [];
    this.read(
      formContent(this.#pdf, form.stream, content.resources),
      form.ref.objectNumber,
      matrix,
      depth + 1,
    );
    [this.#line, this.#text, this.#marked] = [line, text, marked];
  }

  #follow(name: string, numbers: readonly number[], operands: readonly Operand[]): void {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = numbers;
    const state = this.#state;
    switch (name) {
      case 'q':
        this.#saved.push({ ...state });
        return;
      case 'cm':
        state.matrix = multiply([a, b, c, d, e, f], state.matrix);
        return;
      case 'BT':
        this.#line = this.#text = IDENTITY;
        return;
      case 'Tf':
        state.font = typeof operands[0] === 'string' ? operands[0].slice(1) : undefined;
        state.size = numbersOf(operands.slice(1))[0] ?? 0;
        return;
      case 'Tc':
        state.spacing = a;
        return;
      case 'Tw':
        state.wordSpacing = a;
        return;
      case 'Tz':
        state.stretch = a / 100;
        return;
      case 'TL':
        state.leading = a;
        return;
      case 'Ts':
        state.rise = a;
        return;
      case 'TD':
        state.leading = -b;
        this.#moveLine(a, b);
        return;
      case 'Td':
        this.#moveLine(a, b);
        return;
      case 'Tm':
        this.#line = this.#text = [a, b, c, d, e, f];
        return;
      case 'T*':
        this.#moveLine(0, -state.leading);
        return;
      case 'EMC':
        this.#marked.pop();
        return;
      default:
        this.#paint(name, numbers);
    }
  }

  #paint(name: string, [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]: readonly number[]): void {
    if (name === 'm') {
      this.#from = this.#pen = [a, b];
    } else if (name === 'l') this.#edge(a, b);
    else if (name === 'c') this.#edge(e, f);
    else if (name === 'v' || name === 'y') this.#edge(c, d);
    else if (name === 'h') this.#edge(...this.#from);
    else if (name === 're') {
      this.#from = this.#pen = [a, b];
      this.#edge(a + c, b);
      this.#edge(a + c, b + d);
      this.#edge(a, b + d);
      this.#edge(a, b);
    } else if (PAINTING.has(name)) {
      for (const edge of this.#path) if (this.edges.length < MOST_EDGES) this.edges.push(edge);
      this.#path = [];
    }
  }

  #edge(x: number, y: number): void {
    const { matrix } = this.#state;
    if (this.#path.length < MOST_EDGES) {
      this.#path.push([...apply(matrix, ...this.#pen), ...apply(matrix, x, y)]);
    }
    this.#pen = [x, y];
  }

  #moveLine(x: number, y: number): void {
    this.#line = this.#text = multiply([1, 0, 0, 1, x, y], this.#line);
  }

  #mark({ name, start, end }: Operator, bytes: Uint8Array): void {
    const text = name === 'BDC' ? Buffer.from(bytes.subarray(start, end)).toString('latin1') : '';
    const found = /\/ActualText\s*(?:<[^>]*>|\((?:\\.|[^\\()])*\))/s.exec(text);
    this.#marked.push(found && [start + found.index, start + found.index + found[0].length]);
  }

  #show(operator: Operator, form: number | null, drawing: number): void {
    const state = this.#state;
    if (state.font === undefined) return; // readers pass over it too
    const { name, operands } = operator;
    let lead = '';
    if (name === "'" || name === '"') {
      lead = 'T*';
      if (name === '"') {
        [state.wordSpacing = 0, state.spacing = 0] = numbersOf(operands);
        lead = `${state.wordSpacing} Tw ${state.spacing} Tc T*`;
      }
      this.#moveLine(0, -state.leading);
    }
    const strings = name === 'TJ' ? operands[0] : [operands.at(-1) ?? null];
    const shown = this.#shown[this.next++];
    if (!shown || !Array.isArray(strings)) throw new Unreadable();
    const { glyphs, width } = this.#place(strings, shown);
    const font = shown[0]?.font;
    if (font) {
      const { size, spacing, wordSpacing, stretch } = state;
      this.shows.push({
        ...{ form, drawing, operator, lead, font, size, spacing, wordSpacing, stretch, glyphs, width },
        resource: state.font,
        matrix: multiply(multiply([1, 0, 0, 1, 0, state.rise], this.#text), state.matrix),
        replacements: this.#marked.filter((place) => place !== null),
      });
    }
    this.#text = multiply([1, 0, 0, 1, width, 0], this.#text);
  }

  #place(strings: readonly Operand[], shown: readonly ShownGlyph[]) {
    const { size, spacing, wordSpacing, stretch } = this.#state;
    const glyphs: PlacedGlyph[] = [];
    let at = 0;
    let index = 0;
    for (const part of strings) {
      if (typeof part === 'number') at -= (part / 1000) * size * stretch;
      if (!(part instanceof Uint8Array)) continue;
      for (let byte = 0; byte < part.length; ) {
        const glyph = shown[index++];
        const length = glyph && codeLength(part, byte, glyph);
        if (!glyph || !length) throw new Unreadable();
        const blank = length === 1 && glyph.code === 0x20 ? wordSpacing : 0;
        const width = ((glyph.width / 1000) * size + spacing + blank) * stretch;
        const code = Buffer.from(part.subarray(byte, byte + length)).toString('hex');
        glyphs.push({ code, text: glyph.text, at, width, own: glyph.width });
        at += width;
        byte += length;
      }
    }
    if (index !== shown.length) throw new Unreadable();
    return { glyphs, width: at };
  }
}

/** How many bytes the code has: in fonts with many characters that depends on the code. */
function codeLength(bytes: Uint8Array, at: number, { code, font }: ShownGlyph): number | undefined {
  for (const length of font.composite ? [2, 1, 3, 4] : [1]) {
    if (at + length > bytes.length) continue;
    let value = 0;
    for (let byte = 0; byte < length; byte++) value = value * 256 + (bytes[at + byte] ?? 0);
    if (value === code) return length;
  }
  return undefined;
}

function numbersOf(operands: readonly Operand[]): number[] {
  return operands.filter((operand) => typeof operand === 'number');
}

function matrixOf(pdf: PDF, form: PdfDict): Matrix | undefined {
  const matrix = resolve(pdf, form.get('Matrix'));
  if (!(matrix instanceof PdfArray)) return undefined;
  const numbers = matrix.toArray().flatMap((each) => {
    const number = resolve(pdf, each);
    return number instanceof PdfNumber ? [number.value] : [];
  });
  const [a, b, c, d, e, f] = numbers;
  if (a === undefined || b === undefined || c === undefined) return undefined;
  return d === undefined || e === undefined || f === undefined ? undefined : [a, b, c, d, e, f];
}
