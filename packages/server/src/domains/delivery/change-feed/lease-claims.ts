import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../../core/clock.ts';
import type { Timers } from '../../../core/timers.ts';
import type { Database } from '../../../db/database.ts';
import type { FeedClaims } from './claims.ts';
import {
  anyClaimed,
  claimChanges,
  deleteChanges,
  extendClaims,
  type PendingChange,
  releaseClaimsOf,
} from './store.ts';

const LEASE_MS = 10_000;
const RENEW_MS = 3_000;

interface Deps {
  readonly database: Database;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: FastifyBaseLogger;
  readonly owner: string;
}

/**
 * Claims of one process among those that share a database (PostgreSQL): rows carry their owner and the end of its lease,
 * which is renewed while they are being sent. A process that dies renews nothing; one that starts again under its name
 * need not wait for that.
 */
export class LeaseClaims implements FeedClaims {
  readonly #deps: Deps;
  readonly #held = new Set<number>();
  #cancel: (() => void) | undefined;
  #stopped = false;

  /** @param deps.owner a name that no other running process has */
  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    await this.#deps.database.write((writer) => releaseClaimsOf(writer, this.#deps.owner));
  }

  async claim(feed: string, most: number): Promise<PendingChange[]> {
    const now = this.#deps.clock.now();
    const rows = await this.#deps.database.write((writer) =>
      claimChanges(writer, feed, now, this.#deps.owner, now + LEASE_MS, most),
    );
    for (const row of rows) this.#held.add(row.seq);
    if (rows.length > 0) this.#renewLater();
    return rows;
  }

  async delete(_feed: string, seqs: readonly number[]): Promise<void> {
    this.#forget(seqs);
    await this.#deps.database.write((writer) => deleteChanges('postgres', writer, seqs));
  }

  async release(_feed: string, seqs: readonly number[]): Promise<void> {
    this.#forget(seqs);
    await this.#deps.database.write((writer) => extendClaims(writer, this.#deps.owner, seqs, null));
  }

  /** The database refuses new claims, in all processes at once. */
  hold(): void {}
  free(): void {}

  async settled(feeds: readonly string[]): Promise<boolean> {
    return !(await anyClaimed(this.#deps.database.reader, feeds, this.#deps.clock.now()));
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
  }

  #forget(seqs: readonly number[]): void {
    for (const seq of seqs) this.#held.delete(seq);
  }

  #renewLater(): void {
    if (this.#stopped) return;
    this.#cancel ??= this.#deps.timers.after(RENEW_MS, () => void this.#renew());
  }

  async #renew(): Promise<void> {
    this.#cancel = undefined;
    if (this.#held.size === 0) return;
    try {
      const until = this.#deps.clock.now() + LEASE_MS;
      await this.#deps.database.write((writer) =>
        extendClaims(writer, this.#deps.owner, [...this.#held], until),
      );
    } catch (error) {
      this.#deps.log.error({ err: error }, 'renewing the claims of the feed failed');
    }
    this.#renewLater();
  }
}
