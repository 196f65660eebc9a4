import { Worker } from 'node:worker_threads';
import { type DefinitionWork, definitionWork } from './definition-work.ts';

/** Work on a shorter definition is done at once: it takes a few milliseconds. */
const LARGE = 64 * 1024;

type InputOf<Work extends keyof DefinitionWork> = Parameters<DefinitionWork[Work]>[0];
type ResultOf<Work extends keyof DefinitionWork> = ReturnType<DefinitionWork[Work]>;
type Waiting = ReturnType<typeof Promise.withResolvers<unknown>>;

/**
 * Works on definitions so that nobody else waits: a large one is read, checked and written in a thread of its own, which begins
 * with the first of them. Node's thread hands over texts alone.
 */
export class LargeDefinitions {
  #thread: Worker | undefined;
  #last = 0;
  readonly #waiting = new Map<number, Waiting>();

  /** How often the thread was given work. */
  get handedOver(): number {
    return this.#last;
  }

  async do<Work extends keyof DefinitionWork>(work: Work, input: InputOf<Work>): Promise<ResultOf<Work>> {
    if (input.text.length < LARGE) return definitionWork[work](input as never) as ResultOf<Work>;
    const task = Promise.withResolvers<unknown>();
    const id = ++this.#last;
    this.#waiting.set(id, task);
    this.#thread ??= this.#start();
    this.#thread.ref();
    this.#thread.postMessage({ id, work, input });
    return (await task.promise) as ResultOf<Work>;
  }

  async stop(): Promise<void> {
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const thread = new Worker(new URL('./definition-thread.ts', import.meta.url));
    thread.on('message', ({ id, result, error }: { id: number; result?: unknown; error?: unknown }) => {
      const task = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) thread.unref();
      if (error === undefined) task?.resolve(result);
      else task?.reject(error);
    });
    // What it had in hand has failed; the next work begins another one.
    const end = (error: unknown) => {
      if (this.#thread === thread) this.#thread = undefined;
      for (const task of this.#waiting.values()) task.reject(error);
      this.#waiting.clear();
    };
    thread.on('error', end);
    thread.on('exit', () => end(new Error('The thread for large definitions has ended.')));
    return thread;
  }
}
