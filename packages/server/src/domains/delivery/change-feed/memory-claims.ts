import type { Database } from '../../../db/database.ts';
import { writesPaused } from '../../../db/paused-writes.ts';
import type { FeedClaims } from './claims.ts';
import { deleteChanges, type PendingChange, pendingChanges } from './store.ts';

interface Deps {
  readonly database: Database;
}

/**
 * Claims of the only process on a database (SQLite): they live in memory and die with it, so that a drain costs one select
 * and one delete.
 */
export class MemoryClaims implements FeedClaims {
  readonly #deps: Deps;
  /** Rows that are being sent, by feed. */
  readonly #claimed = new Map<string, Set<number>>();
  readonly #heldBack = new Set<string>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {}

  async claim(feed: string, most: number): Promise<PendingChange[]> {
    for (;;) {
      const held = this.#claimed.get(feed);
      const claimed = held === undefined ? [] : [...held];
      const rows = await pendingChanges(this.#deps.database.reader, feed, claimed, most);
      // From here to the return nothing else runs. A drain that read at the same time may have been first.
      if (rows.some((row) => this.#claimed.get(feed)?.has(row.seq))) continue;
      if (this.#heldBack.has(feed)) throw writesPaused();
      if (rows.length > 0) {
        const now = this.#claimed.get(feed) ?? new Set<number>();
        for (const row of rows) now.add(row.seq);
        this.#claimed.set(feed, now);
      }
      return rows;
    }
  }

  /** Drains that end at the same time share a commit. The claim stands until it is durable. */
  async delete(feed: string, seqs: readonly number[]): Promise<void> {
    try {
      await this.#deps.database.write((writer) => deleteChanges('sqlite', writer, seqs));
    } finally {
      await this.release(feed, seqs);
    }
  }

  async release(feed: string, seqs: readonly number[]): Promise<void> {
    const held = this.#claimed.get(feed);
    if (held === undefined) return;
    for (const seq of seqs) held.delete(seq);
    if (held.size === 0) this.#claimed.delete(feed);
  }

  hold(feeds: readonly string[]): void {
    for (const feed of feeds) this.#heldBack.add(feed);
  }

  free(feeds: readonly string[]): void {
    for (const feed of feeds) this.#heldBack.delete(feed);
  }

  async settled(feeds: readonly string[]): Promise<boolean> {
    return feeds.every((feed) => !this.#claimed.has(feed));
  }

  stop(): void {}
}
