import type { FastifyBaseLogger } from 'fastify';
import type { Timers } from './timers.ts';

interface Deps {
  readonly name: string;
  readonly pauseMs: number;
  readonly work: (stopping: AbortSignal) => Promise<void>;
  readonly timers: Timers;
  readonly log: FastifyBaseLogger;
}

/**
 * Runs a piece of work at the start and again after each pause. An error is logged, and the next run tries again; two runs
 * never overlap.
 */
export class Worker {
  readonly #deps: Deps;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #cancel = () => {};

  /** @param parts.work long work looks at `stopping` between its steps */
  constructor(parts: Deps) {
    this.#deps = parts;
  }

  start(): void {
    if (this.#stopping.signal.aborted || this.#running !== undefined) return;
    this.#running = this.#run();
  }

  /** Resolves when the work in hand is done; nothing starts after it. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#cancel();
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      await this.#deps.work(this.#stopping.signal);
    } catch (error) {
      this.#deps.log.error({ err: error, worker: this.#deps.name }, 'worker failed; it runs again later');
    }
    this.#running = undefined;
    if (this.#stopping.signal.aborted) return;
    this.#cancel = this.#deps.timers.after(this.#deps.pauseMs, () => this.start());
  }
}
