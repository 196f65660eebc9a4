import { Worker } from 'node:worker_threads';
import { waitInLine } from '../../../core/wait-in-line.ts';
import { type DefinitionWork, definitionWork } from './definition-work.ts';

/** Work on a shorter definition is done at once: it takes a few milliseconds. */
const LARGE = 64 * 1024;

type InputOf<Work extends keyof DefinitionWork> = Parameters<DefinitionWork[Work]>[0];
const sizeOf = (input: { readonly text: string } | { readonly bytes: Uint8Array }): number =>
  'text' in input ? input.text.length : input.bytes.length;

type ResultOf<Work extends keyof DefinitionWork> = ReturnType<DefinitionWork[Work]>;
/** What the thread has in hand. */
interface Task {
  readonly id: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Works on definitions without holding the thread: a large one is read, checked and written in a thread of its own, which begins
 * with the first of them. Node's thread hands over texts and bytes alone. What waits for a caller who has gone is dropped.
 */
export class LargeDefinitions {
  #thread: Worker | undefined;
  #last = 0;
  readonly #waiting: (() => void)[] = [];
  #inHand: Task | undefined;
  #isBusy = false;

  /** How often the thread was given work. */
  get handedOver(): number {
    return this.#last;
  }

  /** @throws {CallerGone} while it waits */
  async do<Work extends keyof DefinitionWork>(work: Work, input: InputOf<Work>): Promise<ResultOf<Work>> {
    if (sizeOf(input) < LARGE) return definitionWork[work](input as never) as ResultOf<Work>;
    if (this.#isBusy) await this.#wait();
    this.#isBusy = true;
    try {
      return (await this.#handOver(work, input)) as ResultOf<Work>;
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#isBusy = false;
      else next();
    }
  }

  async stop(): Promise<void> {
    await this.#thread?.terminate();
  }

  #wait(): Promise<void> {
    return waitInLine((begin) => {
      this.#waiting.push(begin);
      return () => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
      };
    });
  }

  #handOver(work: keyof DefinitionWork, input: object): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#thread ??= this.#start();
      this.#thread.ref();
      const id = ++this.#last;
      this.#inHand = { id, resolve, reject };
      this.#thread.postMessage({ id, work, input });
    });
  }

  #start(): Worker {
    const thread = new Worker(new URL('./definition-thread.ts', import.meta.url));
    thread.on('message', ({ id, result, error }: { id: number; result?: unknown; error?: unknown }) => {
      const task = this.#inHand;
      if (task?.id !== id) return;
      this.#inHand = undefined;
      thread.unref();
      if (error === undefined) task.resolve(result);
      else task.reject(error);
    });
    // What it had in hand has failed; the next work begins another one.
    const end = (error: unknown) => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      this.#inHand?.reject(error);
      this.#inHand = undefined;
    };
    thread.on('error', end);
    thread.on('exit', () => end(new Error('The thread for large definitions has ended.')));
    return thread;
  }
}
