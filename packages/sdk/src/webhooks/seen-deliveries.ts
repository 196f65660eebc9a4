/**
 * Remembers handled deliveries. To recognise repetitions across processes and restarts, keep it with the handler's data, in
 * a table with the key as primary key. The platform repeats for up to seven days (wire 8).
 */
export type SeenDeliveries = {
  has: (key: string) => boolean | Promise<boolean>;
  /** Called after the handler's work is done. */
  add: (key: string) => void | Promise<void>;
};

/** Remembers the latest deliveries of this process and forgets the least recently seen first. */
export class MemorySeenDeliveries implements SeenDeliveries {
  readonly #most: number;
  readonly #keys = new Set<string>();

  /** @param most how many to remember; one takes about 200 bytes */
  constructor(most = 10_000) {
    this.#most = most;
  }

  has(key: string): boolean {
    if (!this.#keys.delete(key)) return false;
    this.#keys.add(key);
    return true;
  }

  add(key: string): void {
    this.#keys.delete(key);
    this.#keys.add(key);
    for (const oldest of this.#keys) {
      if (this.#keys.size <= this.#most) break;
      this.#keys.delete(oldest);
    }
  }
}
