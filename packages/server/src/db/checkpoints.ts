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

  /** To be called after each commit. */
  committed(): void {
    if (this.#carried) {
      this.#carried = false;
      this.#finish();
    }
    const now = performance.now();
    if (this.#busy || now - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = now;
    const size = statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    if (size < LOG_BYTES) return;
    this.#busy = true;
    this.#thread ??= this.#start();
    this.#thread.postMessage('checkpoint');
  }

  async stop(): Promise<void> {
    const thread = this.#thread;
    if (thread === undefined) return;
    // Nothing is asked of it any more.
    this.#busy = true;
    const ended = once(thread, 'exit');
    thread.postMessage('stop');
    await ended;
  }

  #start(): Worker {
    const thread = new Worker(new URL('./checkpoint-thread.ts', import.meta.url), {
      workerData: { path: this.#path },
    });
    thread.unref();
    thread.on('message', () => {
      this.#busy = false;
      this.#carried = true;
    });
    // Without the thread the commits carry the log over, as they would without this class.
    thread.on('error', () => {
      this.#busy = true;
      this.#thread = undefined;
    });
    return thread;
  }
}
