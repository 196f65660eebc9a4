/** Wakes those that wait. Take `next` before looking for work: a nudge given in between is not missed. */
export class Nudge {
  #waiting = waiting();

  next(): Promise<void> {
    return this.#waiting.promise;
  }

  give(): void {
    this.#waiting.resolve();
    this.#waiting = waiting();
  }
}

/** `Promise.withResolvers`, which Node 20 has not. */
function waiting(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
