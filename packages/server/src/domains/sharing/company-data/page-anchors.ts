/** Offsets of this many pages are remembered. */
const ANCHORS_MOST = 20_000;

/**
 * Where pages of a connection list begin: the id of the last row before an offset. With it the next page continues by key
 * instead of skipping all rows before it. Rows are only ever added behind all others, so an anchor is good until a
 * connection ends; what is forgotten is found again by skipping.
 */
export class PageAnchors {
  readonly #most: number;
  /** In the order of their last use. */
  readonly #ids = new Map<string, string>();

  constructor(most = ANCHORS_MOST) {
    this.#most = most;
  }

  /** @param ended how many connections of the service ever ended */
  find(serviceId: string, ended: number, offset: number): string | undefined {
    const key = `${serviceId}:${ended}:${offset}`;
    const id = this.#ids.get(key);
    if (id !== undefined) {
      this.#ids.delete(key);
      this.#ids.set(key, id);
    }
    return id;
  }

  keep(serviceId: string, ended: number, offset: number, lastBefore: string): void {
    const key = `${serviceId}:${ended}:${offset}`;
    this.#ids.delete(key);
    this.#ids.set(key, lastBefore);
    if (this.#ids.size <= this.#most) return;
    for (const oldest of this.#ids.keys()) {
      this.#ids.delete(oldest);
      return;
    }
  }
}
