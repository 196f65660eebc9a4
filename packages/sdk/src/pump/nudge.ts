/** Wakes whoever waits. Take `next` before looking for work: a nudge given in between is not missed. */
export class Nudge {
  #waiting = Promise.withResolvers<void>();

  next(): Promise<void> {
    return this.#waiting.promise;
  }

  give(): void {
    this.#waiting.resolve();
    this.#waiting = Promise.withResolvers<void>();
  }
}
