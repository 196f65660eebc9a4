import type { KeyObject } from 'node:crypto';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker as NodeWorker } from 'node:worker_threads';
import { DecryptionError } from '../http/errors.ts';
import { isMissingFile, openHere, warnOnce } from './no-threads.ts';
import { type OpenedBatch, openBatch, type SealedBatch } from './open-batch.ts';

export type DecryptPoolOptions = {
  /** The largest number of threads. Default: what the machine runs in parallel, at most 8. */
  threads?: number | undefined;
  /** Threads end when they have been idle for this many milliseconds. Default 30000. */
  idleMs?: number | undefined;
};

/**
 * Opens sealed values on worker threads. Each thread imports the key once. Batches of up to eight values are opened on
 * the calling thread, because a message to a thread would take longer. Threads start when there is work, do not keep the
 * process alive, and end when they are idle or on `close`. Where the file of the threads is missing, because a bundler left
 * it out, values are opened on the calling thread, and a warning says so once.
 */
export class DecryptPool implements AsyncDisposable {
  readonly #key: KeyObject;
  readonly #most: number;
  readonly #idleMs: number;
  readonly #queue: Task[] = [];
  readonly #threads = new Set<Thread>();
  #idle: NodeJS.Timeout | undefined;
  #threadless = false;

  constructor(key: KeyObject, options: DecryptPoolOptions = {}) {
    this.#key = key;
    this.#most = Math.max(1, options.threads ?? Math.min(availableParallelism(), 8));
    this.#idleMs = options.idleMs ?? 30_000;
  }

  /** Threads running now. */
  get threads(): number {
    return this.#threads.size;
  }

  /** Starts every thread now, so that they start while the first request is in progress. */
  warm(): void {
    while (this.#threads.size < this.#most && this.#start() !== undefined);
    this.#idleLater();
  }

  /**
   * Opens a batch. With about 100 values the message costs little and the answer comes early.
   *
   * @param signal drops the batch while it waits for a thread
   * @throws DecryptionError `sdk.worker_failed` when the thread dies (out of memory, for instance)
   */
  open(batch: SealedBatch, signal?: AbortSignal): Promise<OpenedBatch> {
    if (batch.wrappers.length <= INLINE_MOST) return Promise.resolve(openBatch(batch, this.#key));
    if (this.#threadless) return openHere(batch, this.#key, INLINE_MOST, signal);
    return new Promise((resolve, reject) => {
      this.#queue.push({ batch, signal, resolve, reject });
      this.#pump();
    });
  }

  /** Ends every thread; batches still waiting are refused. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const failure = closedError();
    for (const task of this.#queue.splice(0)) task.reject(failure);
    const threads = [...this.#threads];
    this.#threads.clear();
    for (const { tasks } of threads) for (const task of tasks.splice(0)) task.reject(failure);
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #pump(): void {
    clearTimeout(this.#idle);
    for (;;) {
      const task = this.#nextTask();
      if (!task) break;
      const thread = this.#freestThread();
      if (this.#threadless) {
        this.#openHere(task);
        continue;
      }
      if (!thread) {
        this.#queue.unshift(task);
        break;
      }
      if (thread.tasks.push(task) === 1) thread.worker.ref();
      thread.worker.postMessage(task.batch);
    }
    this.#idleLater();
  }

  #nextTask(): Task | undefined {
    for (let task = this.#queue.shift(); task; task = this.#queue.shift()) {
      if (!task.signal?.aborted) return task;
      task.reject(task.signal.reason);
    }
    return undefined;
  }

  #freestThread(): Thread | undefined {
    let freest: Thread | undefined;
    for (const thread of this.#threads) {
      if (!freest || thread.tasks.length < freest.tasks.length) freest = thread;
    }
    if ((!freest || freest.tasks.length > 0) && this.#threads.size < this.#most) return this.#start();
    return freest && freest.tasks.length < TASKS_AHEAD ? freest : undefined;
  }

  /** `undefined` where there can be no threads. */
  #start(): Thread | undefined {
    if (this.#threadless) return undefined;
    let worker: NodeWorker;
    try {
      worker = startWorker(this.#key);
    } catch (cause) {
      if (!isMissingFile(cause)) throw cause;
      this.#goOnWithoutThreads();
      return undefined;
    }
    const thread: Thread = { worker, tasks: [] };
    worker.unref();
    worker.on('message', (opened: OpenedBatch) => {
      thread.tasks.shift()?.resolve(opened);
      if (thread.tasks.length === 0) worker.unref();
      this.#pump();
    });
    worker.on('error', (cause) => this.#lose(thread, cause));
    worker.on('exit', () => this.#lose(thread, undefined));
    this.#threads.add(thread);
    return thread;
  }

  #lose(thread: Thread, cause: unknown): void {
    if (!this.#threads.delete(thread)) return;
    if (isMissingFile(cause)) {
      this.#goOnWithoutThreads();
      for (const task of thread.tasks.splice(0)) this.#openHere(task);
      this.#pump();
      return;
    }
    // The text of the cause is left out: it could contain a value or the key.
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'exit';
    const message = `A decryption thread ended (${code}).`;
    const failure = new DecryptionError({ errorKey: 'sdk.worker_failed', message });
    for (const task of thread.tasks.splice(0)) task.reject(failure);
    this.#pump();
  }

  #goOnWithoutThreads(): void {
    this.#threadless = true;
    warnOnce();
  }

  #openHere({ batch, signal, resolve, reject }: Task): void {
    openHere(batch, this.#key, INLINE_MOST, signal).then(resolve, reject);
  }

  #idleLater(): void {
    clearTimeout(this.#idle);
    const busy = this.#queue.length > 0 || [...this.#threads].some(({ tasks }) => tasks.length > 0);
    if (busy || this.#threads.size === 0) return;
    this.#idle = setTimeout(() => void this.close(), this.#idleMs);
    this.#idle.unref();
  }
}

function startWorker(key: KeyObject): NodeWorker {
  const pkcs8 = new Uint8Array(key.export({ type: 'pkcs8', format: 'der' }));
  // In this form bundlers see the file. Under the name `Worker`, webpack writes a call that is no JavaScript.
  return new NodeWorker(new URL('./symbolon-decrypt-worker.ts', import.meta.url), {
    name: 'symbolon-decrypt',
    workerData: { pkcs8 },
    transferList: [pkcs8.buffer],
    execArgv: [],
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env },
    resourceLimits: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 2 },
  });
}

function closedError(): DecryptionError {
  return new DecryptionError({ errorKey: 'sdk.closed', message: 'The client was closed.' });
}

type Task = {
  batch: SealedBatch;
  signal: AbortSignal | undefined;
  resolve: (opened: OpenedBatch) => void;
  reject: (reason: unknown) => void;
};
/** `tasks` were sent to the worker, which answers in order. */
type Thread = { worker: NodeWorker; tasks: Task[] };

const INLINE_MOST = 8;
/** One batch in progress and one waiting, so that a thread never idles while this thread is busy. */
const TASKS_AHEAD = 2;
/** Threads come and go. With compiled modules on disk (at Node's default place) a start costs 40 ms of CPU, not 75. */
const COMPILE_CACHE = join(tmpdir(), 'node-compile-cache');
