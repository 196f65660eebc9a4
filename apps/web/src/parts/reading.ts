/** What was read, or why it could not be. */
type Stand<T> = { readonly about: unknown; readonly found: T | undefined; readonly error: unknown };

const NONE = { about: undefined, found: undefined, error: undefined };

/**
 * What a page reads of the platform. Answers overtake one another: what an older question is answered, or how it fails, is dropped.
 * What was found stays while the same is read again, and goes when something else is asked for.
 */
export class Reading<T> {
  #begun = 0;
  #ended = 0;
  #stand: Stand<T> = NONE;
  readonly #listeners = new Set<() => void>();

  /** @param about the same value stands for the same question @param merge makes what is shown of an answer and what was shown */
  async read<A>(
    about: unknown,
    ask: () => Promise<A>,
    merge: (answer: A, before: T | undefined) => T,
  ): Promise<void> {
    const number = ++this.#begun;
    // Where nothing is shown but a failure, trying again shows that it is tried.
    if (this.of(about).error !== undefined && this.of(about).found === undefined) this.#become(NONE);
    try {
      const answer = await ask();
      if (number === this.#begun)
        this.#end({ about, found: merge(answer, this.of(about).found), error: undefined });
    } catch (error) {
      if (number === this.#begun) this.#end({ about, found: this.of(about).found, error });
    }
  }

  /**
   * Changes what is shown, after an act of the person. What was asked before the act is dropped.
   * @returns whether something was asked, so that it is asked again
   */
  change(about: unknown, next: (before: T | undefined) => T | undefined): boolean {
    const isAsked = this.#ended < this.#begun;
    this.#begun++;
    this.#end({ about, found: next(this.of(about).found), error: undefined });
    return isAsked;
  }

  /** What was found for this question. */
  of(about: unknown): Pick<Stand<T>, 'found' | 'error'> {
    return this.#stand.about === about ? this.#stand : NONE;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly stand = (): Stand<T> => this.#stand;

  #end(next: Stand<T>): void {
    this.#ended = this.#begun;
    this.#become(next);
  }

  #become(next: Stand<T>): void {
    this.#stand = next;
    for (const listener of this.#listeners) listener();
  }
}
