import { LRUCache } from 'lru-cache';
import { entriesMost } from './cache-bounds.ts';

/** Of a party's time, what is left to others for each millisecond that it has had the thread. */
const REST = 3;
/** One step takes no longer; what looks longer was the machine's. */
const STEP_MOST_MS = 20;
const PARTIES_MOST = 10_000;

/** Spreads the work of each party over time, so that it has the thread for a quarter of it at most, by however many requests. */
export class Pace {
  /** From when on each may go on, by the clock. */
  readonly #from = new LRUCache<string, number>(entriesMost(PARTIES_MOST));
  readonly #now: () => number;

  /** @param now milliseconds, by which work is measured */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Does a step of the party's work. @returns milliseconds until its next one */
  step(party: string, work: () => void): number {
    const begun = this.#now();
    work();
    const now = this.#now();
    const from = Math.max(now, this.#from.get(party) ?? 0) + REST * Math.min(now - begun, STEP_MOST_MS);
    this.#from.set(party, from);
    return from - now;
  }
}
