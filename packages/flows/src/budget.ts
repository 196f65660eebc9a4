import { flowLimits } from '@symbolon/protocol/constants';

/** Comparing or joining so many characters, or one more entry of a list, counts as a step. */
const CHARACTERS_OF_STEP = 20;

/**
 * How much one evaluation may still look at. A definition that was checked does not come to its end by its parts alone, but
 * can with answers that are very long.
 */
export class Budget {
  #left: number;

  constructor(steps: number = flowLimits.stepsMost) {
    this.#left = steps;
  }

  /** Takes one step; false when none is left. */
  take(): boolean {
    if (this.#left <= 0) return false;
    this.#left--;
    return true;
  }

  /** Takes what looking at these values costs beside; false when that is more than is left. */
  takeFor(values: readonly unknown[]): boolean {
    for (const value of values) this.#left -= Math.floor(charactersOf(value) / CHARACTERS_OF_STEP);
    return this.#left >= 0;
  }
}

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (!Array.isArray(value)) return 0;
  return value.reduce(
    (sum: number, entry: unknown) =>
      sum + CHARACTERS_OF_STEP + (typeof entry === 'string' ? entry.length : 0),
    0,
  );
}
