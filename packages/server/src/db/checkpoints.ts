import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** A log that is longer is carried over by the thread. */
export const LOG_BYTES = 4 * 1024 * 1024;
/** What SQLite cuts the log's file down to when it starts from the beginning again: a longer file has that much to carry over. */
const KEPT_BYTES = 2 * 1024 * 1024;
/** A log of so many pages, of 4 KiB, is carried over by the commit itself: the bound when the thread cannot keep up. */
const COMMIT_PAGES = 16_384;
const LOOK_MS = 250;

/** What the writing connection is set to, so that its commits leave the log to the thread. */
export const CHECKPOINT_PRAGMAS = `pragma wal_autocheckpoint = ${COMMIT_PAGES}; pragma journal_size_limit = ${KEPT_BYTES}`;

/**
 * Carries the write-ahead log over into the database in a separate thread. By itself SQLite does so within the commit that
 * makes the log longer than 1,000 pages, and Node's thread then waits for the disk: 50 to 600 ms, in which nobody is
 * answered. The thread holds up neither writers nor readers. What is committed while it works stays in the log; the next
 * commit carries that little over, so that the log can start from the beginning again.
 */
export class Checkpoints {
  readonly #path: string;
  readonly #finish: () => void;
  #thread: Worker | undefined;
  #busy = false;
  /** Resolves when the thread has done what it was asked last. */
  #round = Promise.withResolvers<void>();
  /** The thread has carried over what there was when it began. */
  #carried = false;
  #lookedAt = Number.NEGATIVE_INFINITY;

  /**
   * @param path of the database
   * @param finish carries over what is left, on the writing connection
   */
  constructor(path: string, finish: () => void) {
    this.#path = path;
    this.#finish = finish;
  }

  /** To be called after each commit. It never throws: the commit is durable, and its callers were answered. */
  committed(): void {
    if (this.#carried) {
      this.#carried = false;
      try {
        this.#finish();
      } catch {
        // Commits report a full or missing disk; the log stays, and the next checkpoint carries it over.
      }
    }
    if (performance.now() - this.#lookedAt >= LOOK_MS) this.#look();
  }

  /** Resolves when no long log is left to be carried over: what can wait keeps the log short by waiting for that. */
  async idle(): Promise<void> {
    this.#look();
    if (this.#busy) await this.#round.promise;
  }

  async stop(): Promise<void> {
    const thread = this.#thread;
    // Nothing is asked of it any more.
    this.#busy = true;
    this.#round.resolve();
    if (thread === undefined) return;
    const ended = once(thread, 'exit');
    thread.postMessage('stop');
    await ended;
  }

  /** Has the thread carry the log over when it is long. */
  #look(): void {
    if (this.#busy) return;
    this.#lookedAt = performance.now();
    if (this.#length() < LOG_BYTES) return;
    this.#busy = true;
    this.#round = Promise.withResolvers();
    this.#thread ??= this.#start();
    // A caller may wait for it.
    this.#thread.ref();
    this.#thread.postMessage('checkpoint');
  }

  /** Of the log; 0 where it cannot be read. */
  #length(): number {
    try {
      return statSync(`${this.#path}-wal`).size;
    } catch {
      return 0;
    }
  }

  #start(): Worker {
    const thread = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
      workerData: { path: this.#path },
    });
    thread.on('message', () => {
      thread.unref();
      this.#busy = false;
      this.#carried = true;
      this.#round.resolve();
    });
    // Without the thread the commits carry the log over, as they would without this class.
    thread.on('error', () => {
      this.#busy = true;
      this.#thread = undefined;
      this.#round.resolve();
    });
    return thread;
  }
}
