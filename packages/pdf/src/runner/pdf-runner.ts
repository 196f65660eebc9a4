import { PdfError } from '../errors.ts';
import type { PdfWorker } from '../worker.ts';
import type { Call, Question } from './messages.ts';
import { type Limits, WorkerProcess } from './process.ts';

export interface PdfRunnerOptions extends Partial<Limits> {
  /** Beside the one that prepares seals and nothing else, and the one that inspects files, which begins with the first of them. */
  readonly processes?: number;
  /** How many jobs may wait. */
  readonly waiting?: number;
  /** For whoever asks just now: when it aborts while the job waits, the job is dropped and fails with the reason. */
  readonly signalOf?: () => AbortSignal | undefined;
}

const DEFAULTS = { processes: 1, waiting: 32, deadline: 20_000, memory: 768 << 20 };
/** After so many jobs a process makes room for a fresh one. */
const MOST_JOBS = 500;

/** What finishes an act whose caller waits: a process is kept for it, whatever else is read meanwhile. */
const OF_ACTS: ReadonlySet<Call> = new Set<Call>(['prepareSeal', 'prepareCover']);

interface Waiting {
  readonly question: Question;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Slot {
  process: WorkerProcess | undefined;
  jobs: number;
  busy: boolean;
}

/** Processes, and the jobs that wait for one of them. */
interface Lane {
  readonly slots: readonly Slot[];
  readonly waiting: Waiting[];
  /** Whether its processes draw, for which they load native code. */
  readonly draws: boolean;
}

/**
 * Reads PDF files in child processes, each with a limit on time and memory: a file that breaks the reader costs its own
 * job and nothing else. Jobs wait in order, those of acts and all others each by themselves; when too many of a kind wait, further ones
 * are refused as `busy`.
 */
export class PdfRunner implements PdfWorker, AsyncDisposable {
  readonly #limits: Limits;
  readonly #mostWaiting: number;
  readonly #acts: Lane;
  readonly #looks: Lane;
  readonly #others: Lane;
  readonly #running = new Set<Promise<void>>();
  readonly #signalOf: () => AbortSignal | undefined;
  #stopped = false;

  constructor(options: PdfRunnerOptions = {}) {
    const { processes, waiting, deadline, memory } = { ...DEFAULTS, ...options };
    this.#signalOf = options.signalOf ?? (() => undefined);
    this.#limits = { deadline, memory };
    this.#mostWaiting = waiting;
    this.#acts = laneOf(1);
    this.#looks = laneOf(1, true);
    this.#others = laneOf(processes);
  }

  inspect: PdfWorker['inspect'] = (...args) => this.#ask('inspect', args);
  prepareSeal: PdfWorker['prepareSeal'] = (...args) => this.#ask('prepareSeal', args);
  prepareCover: PdfWorker['prepareCover'] = (...args) => this.#ask('prepareCover', args);
  analyseTemplate: PdfWorker['analyseTemplate'] = (...args) => this.#ask('analyseTemplate', args);
  fillTemplate: PdfWorker['fillTemplate'] = (...args) => this.#ask('fillTemplate', args);

  /** How many jobs wait. */
  get waiting(): { readonly acts: number; readonly others: number } {
    const others = this.#looks.waiting.length + this.#others.waiting.length;
    return { acts: this.#acts.waiting.length, others };
  }

  /** Finishes the jobs in work, refuses those that wait, and ends the processes. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const lanes = [this.#acts, this.#looks, this.#others];
    for (const { reject } of lanes.flatMap(({ waiting }) => waiting.splice(0)))
      reject(new PdfError('stopped'));
    await Promise.all(this.#running);
    for (const { process } of lanes.flatMap(({ slots }) => slots)) process?.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #ask<C extends Call>(call: C, args: Question<C>['args']): ReturnType<PdfWorker[C]> {
    return new Promise<unknown>((resolve, reject) => {
      if (this.#stopped) return reject(new PdfError('stopped'));
      const lane = this.#laneOf(call);
      const idle = lane.slots.some(({ busy }) => !busy);
      const signal = this.#signalOf();
      if (signal?.aborted) return reject(signal.reason);
      if (!idle && lane.waiting.length >= this.#mostWaiting) return reject(new PdfError('busy'));
      const job: Waiting = { question: { call, args }, resolve, reject };
      lane.waiting.push(job);
      signal?.addEventListener('abort', () => this.#drop(lane, job, signal.reason), { once: true });
      this.#startNext(lane);
    }) as ReturnType<PdfWorker[C]>; // the child answers what the call promises
  }

  #laneOf(call: Call): Lane {
    if (OF_ACTS.has(call)) return this.#acts;
    return call === 'inspect' ? this.#looks : this.#others;
  }

  /** Its caller has left. A job that is in work goes on: its process is of no use to others before its end. */
  #drop({ waiting }: Lane, job: Waiting, reason: unknown): void {
    const at = waiting.indexOf(job);
    if (at < 0) return;
    waiting.splice(at, 1);
    job.reject(reason);
  }

  #startNext(lane: Lane): void {
    const slot = lane.slots.find(({ busy }) => !busy);
    const next = slot && lane.waiting.shift();
    if (!next) return;
    slot.busy = true;
    const work = this.#run(lane, slot, next).finally(() => {
      this.#running.delete(work);
      slot.busy = false;
      this.#startNext(lane);
    });
    this.#running.add(work);
  }

  async #run(lane: Lane, slot: Slot, { question, resolve, reject }: Waiting): Promise<void> {
    try {
      resolve(await (await this.#processFor(lane, slot)).run(question));
    } catch (error) {
      reject(error);
    }
  }

  async #processFor({ draws }: Lane, slot: Slot): Promise<WorkerProcess> {
    slot.jobs++;
    const { process } = slot;
    if (process && !process.ended && slot.jobs <= MOST_JOBS && !(await process.grown())) return process;
    process?.kill();
    slot.process = new WorkerProcess(this.#limits, draws);
    slot.jobs = 1;
    return slot.process;
  }
}

function laneOf(processes: number, draws = false): Lane {
  const slots = Array.from({ length: processes }, () => ({ process: undefined, jobs: 0, busy: false }));
  return { slots, waiting: [], draws };
}
