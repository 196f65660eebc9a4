import type { Timers } from '../core/timers.ts';

/** Waiting that a test holds: what is due runs when the test moves the time. */
export class HeldTimers implements Timers {
  #now = 0;
  #waiting: { at: number; work: () => void }[] = [];

  after(ms: number, work: () => void): () => void {
    const entry = { at: this.#now + ms, work };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
    };
  }

  /** How many wait. */
  get size(): number {
    return this.#waiting.length;
  }

  /** @param ms milliseconds; what becomes due runs in the order of its time */
  advance(ms: number): void {
    const until = this.#now + ms;
    for (;;) {
      const [next] = this.#waiting.filter((entry) => entry.at <= until).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#waiting = this.#waiting.filter((other) => other !== next);
      this.#now = next.at;
      next.work();
    }
    this.#now = until;
  }
}
