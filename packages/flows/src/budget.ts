import { flowLimits } from '@symbolon/protocol/constants';

/** How much one evaluation may still look at. A definition that was checked never comes to its end. */
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
}
