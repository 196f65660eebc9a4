import type { PDF, PdfDict } from '@libpdf/core';
import { numbersAt } from '../objects.ts';
import { Unclear } from '../raw/tokens.ts';
import type { Operand } from './content-reader.ts';
import { STROKES } from './operators.ts';
import { mostScale } from './scale.ts';

type Matrix = readonly [number, number, number, number, number, number];

interface State {
  readonly matrix: Matrix;
  /** Half of the width of lines; undefined where the glyph does not tell it. */
  readonly half: number | undefined;
  /** How far the corners of lines may reach, in halves of their width. */
  readonly miter: number;
  readonly isMitered: boolean;
}

/** Operators whose last two operands each are a point. */
const POINTS = new Set(['m', 'l', 'c', 'v', 'y']);
/** They draw what is not followed here, or with lines of another width. */
const UNFOLLOWED = new Set(['sh', 'gs', 'Tj', 'TJ', "'", '"']);
/** Strokes and rounded numbers reach over the box a little: in parts of it, and in units. */
const OVER = 0.1;
const OVER_UNITS = 2;
/** And no more of the size of the text. */
const OVER_SIZE = 0.1;
/** What corners reach where nothing is said, and the corners of square ends, in halves of the width of a line. */
const [MITER, SQUARE_END] = [10, Math.SQRT2];

/**
 * Follows what a glyph draws. The box behind `d1` must hold it (ISO 32000-2, 9.6.4): some readers clip there, others do not.
 */
export class GlyphReach {
  #box: readonly number[] | undefined;
  /** How far lines may reach over the box. */
  #over = 0;
  #now: State = { matrix: [1, 0, 0, 1, 0, 0], half: undefined, miter: MITER, isMitered: true };
  readonly #saved: State[] = [];
  readonly #overUnits: number;
  readonly #widths: readonly number[];

  /**
   * @param scale how much a unit of the glyph is enlarged, to the size of the text
   * @param widths that the font tells of it
   */
  constructor(scale: number, widths: readonly number[] = []) {
    this.#widths = widths;
    this.#overUnits = Math.min(OVER_UNITS, OVER_SIZE / scale);
  }

  /** @throws {Unclear} where the glyph reaches out of its box */
  see(operator: string, operands: readonly Operand[]): void {
    const numbers = operands.map(({ value }) => value ?? 0);
    if (operator === 'd0' || operator === 'd1') this.#checkWidth(numbers[0] ?? 0);
    if (operator === 'd1') this.#begin(numbers.slice(2));
    else if (this.#box === undefined) return;
    else if (operator === 'q') this.#saved.push(this.#now);
    else if (operator === 'Q') this.#now = this.#saved.pop() ?? this.#now;
    else if (operator === 'cm')
      this.#now = { ...this.#now, matrix: times(numbers as unknown as Matrix, this.#now.matrix) };
    else if (operator === 'w') this.#now = { ...this.#now, half: (numbers[0] ?? 0) / 2 };
    else if (operator === 'M') this.#now = { ...this.#now, miter: numbers[0] ?? MITER };
    else if (operator === 'j') this.#now = { ...this.#now, isMitered: numbers[0] === 0 };
    else if (operator === 're') this.#rectangle(numbers);
    else if (operator === 'BI' || operator === 'Do') this.#rectangle([0, 0, 1, 1]);
    else if (UNFOLLOWED.has(operator)) throw new Unclear(`A glyph draws by ${operator} in a box`);
    else if (STROKES.has(operator)) this.#line();
    else if (POINTS.has(operator))
      for (let at = 0; at < numbers.length; at += 2) this.#point(numbers[at] ?? 0, numbers[at + 1] ?? 0);
  }

  /** Some readers go on by the width that the glyph tells, others by that of the font. They are rounded a little. */
  #checkWidth(own: number): void {
    for (const width of this.#widths)
      if (Math.abs(own - width) > OVER * Math.max(own, width) + this.#overUnits)
        throw new Unclear('A glyph has another width than its font tells');
  }

  /** @throws {Unclear} in a box: what the form draws is not followed */
  seeForm(): void {
    if (this.#box !== undefined) throw new Unclear('A glyph draws a form in a box');
  }

  #begin([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[]): void {
    const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)];
    const [bottom, top] = [Math.min(y1, y2), Math.max(y1, y2)];
    this.#over = OVER * Math.max(right - left, top - bottom) + this.#overUnits;
    this.#box = [left - this.#over, bottom - this.#over, right + this.#over, top + this.#over];
  }

  /** A width that the glyph does not tell is that of the text around it. */
  #line(): void {
    const { half, matrix, miter, isMitered } = this.#now;
    const reach = Math.max(SQUARE_END, isMitered ? miter : 1);
    if (half === undefined || half * reach * mostScale(matrix) > this.#over)
      throw new Unclear('A glyph reaches out of its box by the width of a line');
  }

  #rectangle([x = 0, y = 0, width = 0, height = 0]: readonly number[]): void {
    for (const across of [x, x + width]) for (const up of [y, y + height]) this.#point(across, up);
  }

  #point(x: number, y: number): void {
    const [a, b, c, d, e, f] = this.#now.matrix;
    const [across, up] = [a * x + c * y + e, b * x + d * y + f];
    const [left = 0, bottom = 0, right = 0, top = 0] = this.#box ?? [];
    if (across < left || across > right || up < bottom || up > top)
      throw new Unclear('A glyph reaches out of its box');
  }
}

function times([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
}

/** How much a unit of the glyphs of a font is enlarged. */
export const scaleOf = (pdf: PDF, font: PdfDict): number =>
  mostScale(numbersAt(pdf, font, 'FontMatrix') ?? []);
