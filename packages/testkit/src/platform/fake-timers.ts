import type { Timers } from '../../../server/src/core/timers.ts';

/** Timers that fire only when a test advances them. */
export class FakeTimers implements Timers {
  #now = 0;
  #waiting: { at: number; work: () => void }[] = [];

  after(ms: number, work: () => void): () => void {
    const entry = { at: this.#now + ms, work };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
    };
  }

  /** How many timers have not fired. */
  get size(): number {
    return this.#waiting.length;
  }

  /** @param ms milliseconds; due timers fire in the order of their time */
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
