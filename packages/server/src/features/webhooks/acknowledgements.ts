import type { Database, Writer } from '../../db/database.ts';
import { inList, listParameter } from '../../db/lists.ts';
import type { Timers } from '../../ports/timers.ts';

/** Deliveries that were answered 200 wait this long, so that many share one commit: at full load commits are the dearest part. */
const PAUSE_MS = 10;
/** After a removal that failed. */
const RETRY_MS = 250;
/** Never more than this many are answered and not yet durably so. */
const WAITING_MOST = 256;

/**
 * Removes delivered rows, many in one commit. A process that dies loses at most what waits here, and delivers it again: the
 * 200 of those was lost with it (spec 6.5).
 */
export class Acknowledgements {
  readonly #database: Database;
  readonly #timers: Timers;
  #waiting: number[] = [];
  #scheduled = false;
  #flushing: Promise<void> = Promise.resolve();

  constructor(deps: { database: Database; timers: Timers }) {
    this.#database = deps.database;
    this.#timers = deps.timers;
  }

  /** Resolves at once while few wait, else when they are removed. */
  async add(seq: number): Promise<void> {
    this.#waiting.push(seq);
    if (this.#waiting.length >= WAITING_MOST) return this.flush();
    this.#flushAfter(PAUSE_MS);
  }

  /** Resolves when everything that was added is removed. What failed is tried again, here or by whoever flushes next. */
  flush(): Promise<void> {
    this.#flushing = this.#flushing
      .catch(() => {})
      .then(async () => {
        const seqs = this.#waiting;
        if (seqs.length === 0) return;
        this.#waiting = [];
        try {
          await this.#database.write((writer) => this.delete(writer, seqs));
        } catch (error) {
          this.#waiting = [...seqs, ...this.#waiting];
          this.#flushAfter(RETRY_MS);
          throw error;
        }
      });
    return this.#flushing;
  }

  #flushAfter(ms: number): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#timers.after(ms, () => {
      this.#scheduled = false;
      this.flush().catch(() => {});
    });
  }

  /** Removes rows in the caller's transaction. */
  async delete(writer: Writer, seqs: readonly number[]): Promise<void> {
    const { engine } = this.#database;
    await writer
      .deleteFrom('webhook_events')
      .where(inList(engine, 'seq', listParameter(engine, seqs), 'bigint'))
      .execute();
  }
}
