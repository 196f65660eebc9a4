import { Unclear } from '../raw/tokens.ts';
import type { Operand } from './content-reader.ts';
import { SHOWS_TEXT, STROKES } from './operators.ts';

/** What a font asks of the text that is shown in it. */
export interface FontUse {
  /** How many characters have a glyph, where its table is short. */
  readonly glyphs?: number;
  /** Whether its glyphs are content of their own. */
  readonly isContent: boolean;
  /** Whether one of these draws lines in a colour that it does not choose. */
  readonly takesLineColour: boolean;
}

interface Values {
  readonly font?: FontUse;
  readonly mode: number;
  readonly cap: number;
  /** Whether a dash has no length. */
  readonly hasDots: boolean;
  /** Of `Tz`, `Ts` and `TL`: what is not as it is at the beginning. */
  readonly unusual: ReadonlySet<string>;
  /** What of that was chosen by the content around this one. */
  readonly around: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();
const START: Values = { mode: 0, cap: 0, hasDots: false, unusual: NONE, around: NONE };
/** What operators set, where the first operand is not this one. */
const USUAL: Readonly<Record<string, number>> = { Tz: 100, Ts: 0, TL: 0 };
const [FILLED, HIDDEN, SQUARE, ROUND] = [0, 3, 2, 1];
const NEXT_LINES = new Set(['T*', "'", '"']);

/** How content sets its text and its lines, beside their colours, through `q` and `Q`. */
export class State {
  #now: Values = START;
  readonly #saved: Values[] = [];
  /** Whether text is shown in the way of the beginning, and not in one that the content or a form in it chose. */
  readonly #text: { isAsItBegan: boolean };
  #hasMode = false;

  constructor(text = { isAsItBegan: false }) {
    this.#text = text;
  }

  /** Of a form, which goes on with the state around it. */
  ofForm(): State {
    const inside = new State(this.#text);
    const { mode, cap, hasDots, unusual } = this.#now;
    inside.#now = { mode, cap, hasDots, unusual, around: unusual };
    inside.#hasMode = this.#hasMode;
    return inside;
  }

  /** What a form goes on with, as a word. */
  get key(): string {
    const { mode, cap, hasDots, unusual } = this.#now;
    return [mode, cap, hasDots, this.#hasMode, ...unusual].join();
  }

  get mode(): number {
    return this.#now.mode;
  }

  get isTextAsItBegan(): boolean {
    return this.#text.isAsItBegan;
  }

  get font(): FontUse | undefined {
    return this.#now.font;
  }

  setFont(font: FontUse): void {
    this.#now = { ...this.#now, font };
  }

  /** @param lengths of dashes */
  setLines(cap: number | undefined, lengths: readonly number[] | undefined): void {
    const { cap: before, hasDots } = this.#now;
    this.#now = { ...this.#now, cap: cap ?? before, hasDots: lengths ? dots(lengths) : hasDots };
  }

  /** @param isPoint whether a path that is painted has a curve or a box of no length @throws {Unclear} */
  see(operator: string, operands: readonly Operand[], isPoint: boolean): void {
    const [first] = operands;
    if (operator === 'q') this.#saved.push(this.#now);
    else if (operator === 'Q') this.#now = this.#saved.pop() ?? this.#now;
    else if (operator === 'Tr') {
      this.#now = { ...this.#now, mode: first?.value ?? 0 };
      this.#hasMode = true;
    } else if (operator === 'J') this.setLines(first?.value, undefined);
    else if (operator === 'd')
      this.setLines(
        undefined,
        first?.items?.map(({ value }) => value ?? 0),
      );
    else if (operator === 'TD') this.#set('TL', operands[1]?.value);
    else if (USUAL[operator] !== undefined) this.#set(operator, first?.value);
    else if (STROKES.has(operator)) this.#line(isPoint);
    if (NEXT_LINES.has(operator) && this.#now.around.has('TL'))
      throw new Unclear('A form goes to lines at a distance that it does not tell');
    if (SHOWS_TEXT.has(operator)) this.#show();
  }

  #set(operator: string, value: number | undefined): void {
    const { unusual, around } = this.#now;
    const rest = new Set(unusual);
    rest.delete(operator);
    if (value !== USUAL[operator]) rest.add(operator);
    const left = new Set(around);
    left.delete(operator);
    this.#now = { ...this.#now, unusual: rest, around: left };
  }

  /** Poppler leaves out what has no length and square ends; pdf.js and PDFium a curve or a box of no length. */
  #line(isPoint: boolean): void {
    const { cap, hasDots } = this.#now;
    if (cap === SQUARE && hasDots) throw new Unclear('Dashes of no length have square ends');
    if (isPoint && (cap === SQUARE || cap === ROUND))
      throw new Unclear('A curve or a box of no length has ends');
  }

  #show(): void {
    const { font, mode, around } = this.#now;
    if (around.has('Tz') || around.has('Ts'))
      throw new Unclear('A form does not tell the width or the height of its text');
    if (font?.isContent && mode !== FILLED && mode !== HIDDEN)
      throw new Unclear('Glyphs of content are drawn in another way than they say');
    this.#text.isAsItBegan ||= !this.#hasMode;
  }
}

/** Of an odd number of lengths, each is a dash and then a gap. */
const dots = (lengths: readonly number[]) =>
  lengths.some((length, index) => length === 0 && (index % 2 === 0 || lengths.length % 2 === 1));
