import { withoutDeadline } from './deadline.ts';
import { Worker } from './worker.ts';

interface Deps extends Omit<ConstructorParameters<typeof Worker>[0], 'work'> {
  readonly database: { subscribe(channel: string, handler: () => void): Promise<() => void> };
  /** Whose signals say that there is something to do. */
  readonly channel: string;
}

/**
 * Work that begins with a signal, and after a pause in case a signal was lost. It never runs twice at a time in a process: what
 * is asked for meanwhile is done by one more run.
 */
export abstract class SignalledWorker {
  readonly #deps: Deps;
  readonly #scans: Worker;
  #running: Promise<void> | undefined;
  #again = false;
  #isStopping = false;
  #unsubscribe = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#scans = new Worker({ ...deps, work: () => this.run() });
  }

  /** Does what there is to do, and stops between two steps when the worker does. @returns whether there is more at once */
  protected abstract work(): Promise<boolean>;

  get isStopping(): boolean {
    return this.#isStopping;
  }

  async start(): Promise<void> {
    this.#unsubscribe = await this.#deps.database.subscribe(this.#deps.channel, () => {
      // The scan looks again, and says what is wrong.
      this.run().catch(() => {});
    });
    this.#scans.start();
  }

  /** Finishes the step in hand. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#unsubscribe();
    await this.#scans.stop();
    await this.#running?.catch(() => {});
  }

  /** Resolves when there was nothing left to do. */
  run(): Promise<void> {
    this.#again = true;
    this.#running ??= withoutDeadline(() => this.#loop()).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #loop(): Promise<void> {
    while (this.#again && !this.#isStopping) {
      this.#again = false;
      const hasMore = await this.work();
      this.#again ||= hasMore;
    }
  }
}
