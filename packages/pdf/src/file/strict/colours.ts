import { Unclear } from '../raw/tokens.ts';
import { GRAY, type Space } from './colour-spaces.ts';
import type { Operand } from './content-reader.ts';
import { FILLS, STROKES } from './operators.ts';

/** Of a colour: nobody sees it. */
const NEAR = 0.5;

interface Side {
  /** undefined in content that goes on with the colours of what it is drawn on */
  readonly space: Space | undefined;
  /** Whether a colour or a pattern was chosen behind the space: without, some readers go on with the colour before. */
  readonly isChosen: boolean;
  /** Most spaces begin in black: then it makes no difference. */
  readonly isBlack: boolean;
}

interface Sides {
  fill: Side;
  stroke: Side;
  glyphs?: number;
}

/** The colour spaces in which content paints, and the glyphs of its font, through `q` and `Q`. A colour must be one of its space. */
export class Colours {
  #now: Sides;
  readonly #saved: Sides[] = [];

  /** @param isPage whether the content starts in black, and not in the colours of what it is drawn on */
  constructor(isPage: boolean) {
    const start = { space: isPage ? GRAY : undefined, isChosen: true, isBlack: isPage };
    this.#now = { fill: start, stroke: start };
  }

  save(): void {
    this.#saved.push({ ...this.#now });
  }

  restore(): void {
    this.#now = this.#saved.pop() ?? this.#now;
  }

  /** How many characters of the font at hand have a glyph, where its table is short. */
  get glyphs(): number | undefined {
    return this.#now.glyphs;
  }

  setGlyphs(glyphs: number | undefined): void {
    this.#now = { fill: this.#now.fill, stroke: this.#now.stroke, ...(glyphs !== undefined && { glyphs }) };
  }

  /** @param colour of an operator that names both */
  setSpace(which: 'fill' | 'stroke', space: Space, colour?: readonly Operand[]): void {
    const wasBlack = this.#now[which].isBlack && beginsInBlack(space);
    const isBlack = colour ? isBlackIn(space, colour) : wasBlack;
    this.#now[which] = { space, isChosen: colour !== undefined || wasBlack, isBlack };
  }

  /** @param under the space of the colour in which a pattern is drawn; undefined for a pattern with colours of its own @throws {Unclear} */
  setPattern(which: 'fill' | 'stroke', operands: readonly Operand[], isColoured: boolean): void {
    const { space } = this.#now[which];
    if (space?.isPattern !== true) throw new Unclear('A pattern is used in a space of colours');
    const numbers = isColoured ? 0 : space.under?.components;
    if (operands.length - 1 !== numbers) throw new Unclear('A pattern has other colours than its space');
    this.#now[which] = { space, isChosen: true, isBlack: false };
  }

  /** @throws {Unclear} for numbers that are no colour of the space */
  setColour(which: 'fill' | 'stroke', operands: readonly Operand[]): void {
    const { space } = this.#now[which];
    if (space === undefined) throw new Unclear('A colour has no space');
    if (operands.length !== space.components) throw new Unclear('A colour has other numbers than its space');
    this.#now[which] = { space, isChosen: true, isBlack: isBlackIn(space, operands) };
    const isBeyond = ({ value = 0 }: Operand, [low, high]: readonly [number, number]) =>
      value < low - NEAR || value > high + NEAR;
    if (space.bounds?.some((bounds, index) => isBeyond(operands[index] as Operand, bounds)))
      throw new Unclear('A colour is beyond what its space has');
    if (space.last === undefined) return;
    const index = operands[0]?.value ?? -1;
    if (!Number.isInteger(index) || index < 0 || index > space.last)
      throw new Unclear('A colour is not in its table');
  }

  /** @throws {Unclear} */
  paint(operator: string): void {
    if (
      (!this.#now.fill.isChosen && FILLS.has(operator)) ||
      (!this.#now.stroke.isChosen && STROKES.has(operator))
    )
      throw new Unclear('A colour is painted that was not chosen');
  }
}

const beginsInBlack = ({ components, isPattern, isInk, last }: Space): boolean =>
  !isPattern && !isInk && last === undefined && components !== 4;

const isBlackIn = (space: Space, colour: readonly Operand[]): boolean =>
  beginsInBlack(space) && colour.every(({ value }) => value === 0);
