import { parentPort, Worker } from 'node:worker_threads';
import { callerParty } from './deadline.ts';
import { FairTurns } from './fair-turns.ts';

/** Work by its names. Node's thread hands over texts and bytes alone, and what is made of them. */
type Works = Readonly<Record<string, (input: never) => unknown>>;

interface Task {
  readonly id: number;
  readonly work: string;
  readonly input: unknown;
}

interface InHand {
  readonly id: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** More of one caller would not be done before its answer is due. */
const WAITING_MOST = 64;

/**
 * Does what would hold the thread in a thread of its own, which begins with the first of it: one after the other, in turns of the accounts that ask.
 * What waits for a caller who has gone is dropped.
 */
export class WorkThread<All extends Works> {
  readonly #begin: () => Worker;
  readonly #turns = new FairTurns({ perParty: 1, inAll: 1, waitingMost: WAITING_MOST });
  #thread: Worker | undefined;
  #last = 0;
  #inHand: InHand | undefined;

  /** @param script calls `serveWork` */
  constructor(script: URL) {
    this.#begin = () => new Worker(script);
  }

  /** How often the thread was given work. */
  get handedOver(): number {
    return this.#last;
  }

  /** @throws {PlatformError} rate_limit.exceeded; {CallerGone} while it waits */
  do<Name extends keyof All & string>(
    work: Name,
    input: Parameters<All[Name]>[0],
  ): Promise<ReturnType<All[Name]>> {
    return this.inTurn(() => this.now(work, input));
  }

  /** Waits for the caller's turn. @param use may give the thread work by `now` */
  inTurn<Result>(use: () => Promise<Result>): Promise<Result> {
    return this.#turns.run(callerParty(), use);
  }

  /** In the caller's turn. */
  now<Name extends keyof All & string>(
    work: Name,
    input: Parameters<All[Name]>[0],
  ): Promise<ReturnType<All[Name]>> {
    return new Promise((resolve, reject) => {
      this.#thread ??= this.#start();
      this.#thread.ref();
      const id = ++this.#last;
      this.#inHand = { id, resolve: resolve as (result: unknown) => void, reject };
      this.#thread.postMessage({ id, work, input } satisfies Task);
    });
  }

  async stop(): Promise<void> {
    await this.#thread?.terminate();
  }

  #start(): Worker {
    const thread = this.#begin();
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
    thread.on('exit', () => end(new Error('A thread for long work has ended.')));
    return thread;
  }
}

/** In the thread: does what it is given. */
export function serveWork(works: Works): void {
  parentPort?.on('message', ({ id, work, input }: Task) => {
    try {
      const result = works[work]?.(input as never);
      parentPort?.postMessage(
        { id, result },
        result instanceof Uint8Array ? [result.buffer as ArrayBuffer] : [],
      );
    } catch (error) {
      parentPort?.postMessage({ id, error });
    }
  });
}
