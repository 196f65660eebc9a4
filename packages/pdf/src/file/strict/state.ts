import { Unclear } from '../raw/tokens.ts';
import type { Operand } from './content-reader.ts';
import type { Path } from './extent.ts';
import { SHOWS_TEXT, STROKES } from './operators.ts';
import { mostScale, nearlyAs, type Scale, scaled } from './scale.ts';

/** What a font asks of the text that is shown in it. */
export interface FontUse {
  /** How many characters have a glyph, where its table is short. */
  readonly glyphs?: number;
  /** The first and the last code whose glyphs were compared. */
  readonly codes?: readonly [first: number, last: number];
  /** Whether its glyphs are content of their own. */
  readonly isContent: boolean;
  /** Whether one of these draws lines in a colour that it does not choose. */
  readonly takesLineColour: boolean;
}

export const PLAIN_FONT: FontUse = { isContent: false, takesLineColour: false };

interface Lines {
  readonly cap?: number | undefined;
  readonly width?: number | undefined;
  readonly dashes?: readonly number[] | undefined;
}

/** On which sides a colour leaves what is below it where it has no ink, and in which mode (ISO 32000-2, 8.6.7). */
export interface Overprint {
  readonly fill: boolean;
  readonly stroke: boolean;
  /** In 1, an ink of no amount counts as none. */
  readonly mode: number;
  /** Whether a mask is on: some readers draw it in the state of what it is laid on. */
  readonly isMasked: boolean;
}

/** What is set of it. */
export type OverprintChanges = { readonly [Part in keyof Overprint]: Overprint[Part] | undefined };

interface Values {
  readonly font?: FontUse;
  readonly overprint: Overprint;
  readonly mode: number;
  readonly cap: number;
  /** Of lines, in units of their content. */
  readonly width: number;
  readonly scale: Scale;
  /** Of the font, and how many times as large the text at hand is drawn by its own matrix. */
  readonly size: number;
  readonly textScale: number;
  /** The lengths of dashes and gaps; none for a full line. */
  readonly dashes: readonly number[];
  /** Of `Tz`, `Ts`, `TL`, `w` and `d`: what is not as it is at the beginning. */
  readonly unusual: ReadonlySet<string>;
  /** What of that was chosen by the content around this one. */
  readonly around: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();
const START: Values = {
  ...{ mode: 0, cap: 0, width: 1, dashes: [], unusual: NONE, around: NONE },
  ...{ scale: [1, 1], size: 1, textScale: 1 },
  overprint: { fill: false, stroke: false, mode: 0, isMasked: false },
};
/** What operators set, where the first operand is not this one; of dashes, how many there are. */
const USUAL: Readonly<Record<string, number>> = { Tz: 100, Ts: 0, TL: 0, w: 1, d: 0 };
const [FILLED, HIDDEN] = [0, 3];
/** Modes of text that draw its areas, and its lines. */
const FILLED_MODES: ReadonlySet<number> = new Set([0, 2, 4, 6]);
const STROKED: ReadonlySet<number> = new Set([1, 2, 5, 6]);
const [FLAT, ROUND, SQUARE] = [0, 1, 2];
/** Of a dash, as a part of the width of its line and of the gap beside it: some readers make shorter ones as long as a pixel. */
const [SHORTEST, SPARSEST] = [1 / 20, 1 / 10];
/** Points: mupdf draws text by thinner lines paler and paler, and soon not at all. */
const THINNEST = 0.1;
/** Points: poppler leaves out text of 1,500, and pictures that have too many dots at the size at which they are shown. */
const [LARGEST_TEXT, LARGEST_PICTURE] = [1000, 5000];
const NEXT_LINES = new Set(['T*', "'", '"']);

/** How content sets its text and its lines, beside their colours, through `q` and `Q`. */
export class State {
  #now: Values;
  readonly #saved: Values[] = [];
  /** Whether text is shown in the way of the beginning, and not in one that the content or a form in it chose. */
  readonly #text: { isAsItBegan: boolean };
  #hasMode = false;

  constructor(scale: Scale = START.scale, text = { isAsItBegan: false }) {
    this.#text = text;
    this.#now = { ...START, scale: nearlyAs(scale) };
  }

  /** Of a form, which goes on with the state around it. @param matrix its own */
  ofForm(matrix: readonly number[]): State {
    const { font: _, ...values } = this.#now;
    const inside = new State(scaled(values.scale, matrix), this.#text);
    inside.#now = { ...values, scale: inside.#now.scale, around: values.unusual };
    inside.#hasMode = this.#hasMode;
    return inside;
  }

  /** What a form goes on with, as a word. */
  get key(): string {
    const { mode, cap, width, scale, unusual, overprint } = this.#now;
    return [
      mode,
      cap,
      width,
      ...scale,
      this.#hasMode,
      ...Object.values(overprint),
      ...[...unusual].sort(),
    ].join();
  }

  get mode(): number {
    return this.#now.mode;
  }

  get isTextFilled(): boolean {
    return FILLED_MODES.has(this.#now.mode);
  }

  get isTextStroked(): boolean {
    return STROKED.has(this.#now.mode);
  }

  /** Whether text has lines that are too thin to see in some readers. @param isCovered by areas of the same colour */
  isTextTooThin(isCovered: boolean): boolean {
    const { width, scale } = this.#now;
    return this.isTextStroked && !(this.isTextFilled && isCovered) && width * scale[0] < THINNEST;
  }

  get isTextAsItBegan(): boolean {
    return this.#text.isAsItBegan;
  }

  get font(): FontUse | undefined {
    return this.#now.font;
  }

  get overprint(): Overprint {
    return this.#now.overprint;
  }

  /** @throws {Unclear} */
  setOverprint(changes: OverprintChanges): void {
    const before = this.#now.overprint;
    const overprint = {
      fill: changes.fill ?? before.fill,
      stroke: changes.stroke ?? before.stroke,
      mode: changes.mode ?? before.mode,
      isMasked: changes.isMasked ?? before.isMasked,
    };
    if (overprint.isMasked && (overprint.fill || overprint.stroke))
      throw new Unclear('A mask is on where colours are printed over others');
    this.#now = { ...this.#now, overprint };
  }

  setFont(font: FontUse, size: number): void {
    this.#now = { ...this.#now, font, size: Math.abs(size) };
  }

  /** @throws {Unclear} for a picture, which has the size of a unit */
  checkPicture(): void {
    if (this.#now.scale[1] > LARGEST_PICTURE) throw new Unclear('A picture is too large');
  }

  /** @param lines what of their ends, their width and their dashes is set */
  setLines({ cap, width, dashes }: Lines): void {
    if (width !== undefined) this.#set('w', width);
    if (dashes !== undefined) this.#set('d', dashes.length);
    const { cap: ends, width: before, dashes: lengths } = this.#now;
    this.#now = { ...this.#now, cap: cap ?? ends, width: width ?? before, dashes: dashes ?? lengths };
  }

  /** @throws {Unclear} */
  see(operator: string, operands: readonly Operand[], path: Path): void {
    const [first] = operands;
    if (operator === 'cm') this.#now = { ...this.#now, scale: scaled(this.#now.scale, numbersIn(operands)) };
    else if (operator === 'BT') this.#now = { ...this.#now, textScale: 1 };
    else if (operator === 'Tm') this.#now = { ...this.#now, textScale: mostScale(numbersIn(operands)) };
    else if (operator === 'q') this.#saved.push(this.#now);
    else if (operator === 'Q') this.#now = this.#saved.pop() ?? this.#now;
    else if (operator === 'Tr') {
      this.#now = { ...this.#now, mode: first?.value ?? 0 };
      this.#hasMode = true;
    } else if (operator === 'J') this.setLines({ cap: first?.value });
    else if (operator === 'w') this.setLines({ width: first?.value });
    else if (operator === 'd') this.setLines({ dashes: first?.items?.map(({ value }) => value ?? 0) });
    else if (operator === 'TD') this.#set('TL', operands[1]?.value);
    else if (USUAL[operator] !== undefined) this.#set(operator, first?.value);
    else if (STROKES.has(operator)) this.#line(path);
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

  /** Poppler leaves out what has no length and square ends, pdf.js and PDFium a curve or a box of no length. */
  #line({ isPoint, isDotted }: Path): void {
    const { cap, width, dashes, around } = this.#now;
    if (around.has('d') || (dashes.length > 0 && around.has('w')))
      throw new Unclear('A form does not tell the width or the dashes of its lines');
    if (cap === SQUARE && hasDots(dashes)) throw new Unclear('Dashes of no length have square ends');
    if (cap === FLAT && isTooShort(dashes, width)) throw new Unclear('Dashes are too short');
    if (isDotted && cap === SQUARE) throw new Unclear('A part of a line goes nowhere, with square ends');
    if (isPoint && (cap === SQUARE || cap === ROUND))
      throw new Unclear('A curve or a box of no length has ends');
  }

  #show(): void {
    const { font, mode, around, size, textScale, scale } = this.#now;
    if (size * textScale * scale[1] > LARGEST_TEXT) throw new Unclear('Text is too large');
    if (around.has('Tz') || around.has('Ts'))
      throw new Unclear('A form does not tell the width or the height of its text');
    if (font?.isContent && mode !== FILLED && mode !== HIDDEN)
      throw new Unclear('Glyphs of content are drawn in another way than they say');
    this.#text.isAsItBegan ||= !this.#hasMode;
  }
}

const numbersIn = (operands: readonly Operand[]) => operands.map(({ value = 0 }) => value);

/** The lengths, of which every other one is a dash: an odd number of them counts twice. */
const paired = (lengths: readonly number[]) =>
  lengths.length % 2 === 1 ? [...lengths, ...lengths] : lengths;

const hasDots = (lengths: readonly number[]) =>
  paired(lengths).some((length, index) => length === 0 && index % 2 === 0);

const isTooShort = (lengths: readonly number[], width: number) =>
  paired(lengths).some(
    (length, index, all) =>
      index % 2 === 0 &&
      length > 0 &&
      (length < width * SHORTEST || length < (all[index + 1] ?? 0) * SPARSEST),
  );
