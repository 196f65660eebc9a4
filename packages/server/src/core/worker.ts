import type { FastifyBaseLogger } from 'fastify';
import type { Availability } from './availability.ts';
import { withoutDeadline } from './deadline.ts';
import type { Timers } from './timers.ts';

interface Deps {
  readonly name: string;
  readonly pauseMs: number;
  readonly work: (stopping: AbortSignal) => Promise<void>;
  readonly timers: Timers;
  readonly log: FastifyBaseLogger;
  readonly availability: Pick<Availability, 'explains'> & Partial<Pick<Availability, 'failingWork'>>;
}

/**
 * Runs a piece of work at the start and again after each pause. Two runs never overlap. Work that fails is tried again at
 * the next run: that is logged once when it begins to fail and once when it works again. What is away is logged elsewhere.
 */
export class Worker {
  readonly #deps: Deps;
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #cancel = () => {};
  #failing = false;

  /** @param parts.work long work looks at `stopping` between its steps */
  constructor(parts: Deps) {
    this.#deps = parts;
  }

  start(): void {
    if (this.#stopping.signal.aborted || this.#running !== undefined) return;
    this.#running = withoutDeadline(() => this.#run());
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
      if (this.#failing) this.#deps.log.info({ worker: this.#deps.name }, 'worker works again');
      this.#failing = false;
      this.#deps.availability.failingWork?.delete(this.#deps.name);
    } catch (error) {
      this.#failed(error);
    }
    this.#running = undefined;
    if (this.#stopping.signal.aborted) return;
    this.#cancel = this.#deps.timers.after(this.#deps.pauseMs, () => this.start());
  }

  #failed(error: unknown): void {
    if (this.#deps.availability.explains(error) || this.#failing) return;
    this.#failing = true;
    this.#deps.availability.failingWork?.add(this.#deps.name);
    const line = 'worker failed; it is tried again until it works';
    this.#deps.log.error({ err: error, worker: this.#deps.name }, line);
  }
}
