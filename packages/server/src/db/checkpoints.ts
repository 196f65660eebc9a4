import { once } from 'node:events';
import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** What the thread is asked; it answers with the same word. `finish` needs a moment without a writer. */
export type CheckpointTask = 'carry over' | 'finish' | 'stop';

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
 * answered. The thread holds up neither writers nor readers. What is committed while it works stays in the log; the thread carries
 * that little over between two commits, and begins the log again, which is one more sync.
 */
export class Checkpoints {
  readonly #path: string;
  #thread: Worker | undefined;
  #busy = false;
  /** Resolves when the thread has done what it was asked last. */
  #round = Promise.withResolvers<void>();
  /** The thread has carried over what there was when it began. */
  #carried = false;
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** @param path of the database */
  constructor(path: string) {
    this.#path = path;
  }

  /**
   * To be called after each commit. It never throws: the commit is durable, and its callers were answered.
   * @returns when there is something to wait for, what resolves once the next commit may begin
   */
  committed(): Promise<void> | undefined {
    if (this.#carried) return this.#ask('finish');
    if (performance.now() - this.#lookedAt >= LOOK_MS) this.#look();
    return undefined;
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
    thread.ref();
    const ended = once(thread, 'exit');
    thread.postMessage('stop' satisfies CheckpointTask);
    await ended;
  }

  /** Has the thread carry the log over when it is long. */
  #look(): void {
    if (this.#busy) return;
    this.#lookedAt = performance.now();
    if (this.#length() >= LOG_BYTES) void this.#ask('carry over');
  }

  #ask(task: CheckpointTask): Promise<void> {
    this.#carried = false;
    this.#busy = true;
    this.#round = Promise.withResolvers();
    this.#thread ??= this.#start();
    // A caller may wait for it.
    this.#thread.ref();
    this.#thread.postMessage(task);
    return this.#round.promise;
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
    thread.on('message', (done: CheckpointTask) => {
      thread.unref();
      this.#busy = false;
      this.#carried = done === 'carry over';
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
