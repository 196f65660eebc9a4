/**
 * Tells many when a signal aborts, with one listener for each signal: an event target looks through all its listeners
 * whenever one comes or goes, and a worker gives the same signal to thousands of sends.
 */
export class AbortGroups<Member> {
  readonly #groups = new WeakMap<AbortSignal, Set<Member>>();
  readonly #onAbort: (member: Member) => void;

  constructor(onAbort: (member: Member) => void) {
    this.#onAbort = onAbort;
  }

  join(signal: AbortSignal, member: Member): void {
    let group = this.#groups.get(signal);
    if (group === undefined) {
      const members = new Set<Member>();
      group = members;
      this.#groups.set(signal, members);
      signal.addEventListener(
        'abort',
        () => {
          for (const each of [...members]) this.#onAbort(each);
        },
        { once: true },
      );
    }
    group.add(member);
  }

  leave(signal: AbortSignal, member: Member): void {
    this.#groups.get(signal)?.delete(member);
  }
}
