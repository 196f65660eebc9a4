import type { Operand } from './content-reader.ts';
import { CONTINUES_PATH, ENDS_PATH } from './operators.ts';

/** Of two points that are one to some readers. */
const NEAR = 0.0001;
const CURVES = new Set(['c', 'v', 'y']);

/** What is asked of a path that is painted. */
export type Path = Pick<Extent, 'isPoint' | 'isDotted'>;

/** Whether a part of a path is a curve or a box that goes nowhere: some readers draw its ends, others nothing. Lines that go nowhere stand in drawings of many writers. */
export class Extent {
  #x = 0;
  #y = 0;
  /** Whether the part at hand has a curve or is a box, and whether anything in it leads away. */
  #hasCurve = false;
  #leads = false;
  #wasPoint = false;
  #parts = 0;
  #hasLine = false;
  #hasDot = false;
  #isOver = false;

  /** Whether the path at hand has such a part. */
  get isPoint(): boolean {
    return this.#wasPoint || (this.#hasCurve && !this.#leads);
  }

  /** Whether one of several parts of the path is a line that goes nowhere. */
  get isDotted(): boolean {
    return this.#parts > 1 && (this.#hasDot || this.#isDot);
  }

  get #isDot(): boolean {
    return this.#hasLine && !this.#leads;
  }

  see(operator: string, operands: readonly Operand[]): void {
    if (this.#isOver) {
      this.#hasCurve = this.#wasPoint = this.#hasLine = this.#hasDot = this.#isOver = false;
      this.#parts = 0;
    }
    if (operator === 'm' || operator === 're') this.#begin(operator, operands);
    else if (CONTINUES_PATH.has(operator)) {
      this.#hasCurve ||= CURVES.has(operator);
      this.#hasLine ||= operator === 'l';
      for (let at = 0; !this.#leads && at + 1 < operands.length; at += 2)
        this.#leads = this.#isAway(operands[at]?.value ?? 0, operands[at + 1]?.value ?? 0);
    } else if (ENDS_PATH.has(operator)) this.#isOver = true;
  }

  #begin(operator: string, [x, y, width, height]: readonly Operand[]): void {
    this.#wasPoint = this.isPoint;
    this.#hasDot ||= this.#isDot;
    this.#hasLine = false;
    this.#parts++;
    [this.#x, this.#y] = [x?.value ?? 0, y?.value ?? 0];
    this.#hasCurve = operator === 're';
    this.#leads = operator === 're' && Math.max(size(width), size(height)) >= NEAR;
  }

  #isAway(x: number, y: number): boolean {
    return Math.max(Math.abs(x - this.#x), Math.abs(y - this.#y)) >= NEAR;
  }
}

const size = (operand: Operand | undefined) => Math.abs(operand?.value ?? 0);
