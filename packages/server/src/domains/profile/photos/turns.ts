interface Deps {
  readonly atOnce: number;
  readonly waiting: number;
}

/** Lets a few at a time do their work and keeps the others waiting in line, as many as there is room for. */
export class Turns {
  readonly #deps: Deps;
  readonly #waiting: (() => void)[] = [];
  #working = 0;

  constructor(limits: Deps) {
    this.#deps = limits;
  }

  /** Undefined, at once, when there is no room to wait. */
  take<T>(work: () => Promise<T>): Promise<T> | undefined {
    if (this.#working >= this.#deps.atOnce && this.#waiting.length >= this.#deps.waiting) return undefined;
    return this.#run(work);
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    // Whoever ends hands its turn to the next, so that nobody slips in between.
    if (this.#working >= this.#deps.atOnce) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#working++;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#working--;
      else next();
    }
  }
}
