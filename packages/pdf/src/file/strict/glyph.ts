import { Unclear } from '../raw/tokens.ts';
import type { Operand } from './content-reader.ts';

type Matrix = readonly [number, number, number, number, number, number];

/** Operators whose last two operands each are a point. */
const POINTS = new Set(['m', 'l', 'c', 'v', 'y']);
/** They draw what is not followed here. */
const UNFOLLOWED = new Set(['sh', 'Tj', 'TJ', "'", '"']);
/** Strokes and rounded numbers reach over the box a little: in parts of it, and in units. */
const OVER = 0.1;
const OVER_UNITS = 2;

/**
 * Follows what a glyph draws. The box behind `d1` must hold it (ISO 32000-2, 9.6.4): some readers clip there, others do not.
 */
export class GlyphReach {
  #box: readonly number[] | undefined;
  #matrix: Matrix = [1, 0, 0, 1, 0, 0];
  readonly #saved: Matrix[] = [];

  /** @throws {Unclear} where the glyph reaches out of its box */
  see(operator: string, operands: readonly Operand[]): void {
    const numbers = operands.map(({ value }) => value ?? 0);
    if (operator === 'd1') this.#box = boxOf(numbers.slice(2));
    else if (this.#box === undefined) return;
    else if (operator === 'q') this.#saved.push(this.#matrix);
    else if (operator === 'Q') this.#matrix = this.#saved.pop() ?? this.#matrix;
    else if (operator === 'cm') this.#matrix = times(numbers as unknown as Matrix, this.#matrix);
    else if (operator === 're') this.#rectangle(numbers);
    else if (operator === 'BI' || operator === 'Do') this.#rectangle([0, 0, 1, 1]);
    else if (UNFOLLOWED.has(operator)) throw new Unclear(`A glyph draws by ${operator} in a box`);
    else if (POINTS.has(operator))
      for (let at = 0; at < numbers.length; at += 2) this.#point(numbers[at] ?? 0, numbers[at + 1] ?? 0);
  }

  #rectangle([x = 0, y = 0, width = 0, height = 0]: readonly number[]): void {
    for (const across of [x, x + width]) for (const up of [y, y + height]) this.#point(across, up);
  }

  #point(x: number, y: number): void {
    const [a, b, c, d, e, f] = this.#matrix;
    const [across, up] = [a * x + c * y + e, b * x + d * y + f];
    const [left = 0, bottom = 0, right = 0, top = 0] = this.#box ?? [];
    if (across < left || across > right || up < bottom || up > top)
      throw new Unclear('A glyph reaches out of its box');
  }
}

/** With room around it. */
function boxOf([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[]): readonly number[] {
  const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)];
  const [bottom, top] = [Math.min(y1, y2), Math.max(y1, y2)];
  const over = OVER * Math.max(right - left, top - bottom) + OVER_UNITS;
  return [left - over, bottom - over, right + over, top + over];
}

function times([a, b, c, d, e, f]: Matrix, [g, h, i, j, k, l]: Matrix): Matrix {
  return [a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + l];
}
