import { type ChildProcess, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { PdfError, type PdfErrorCode } from '../errors.ts';
import { type Answer, type Question, READY } from './messages.ts';

export interface Limits {
  /** Milliseconds that one job may take. */
  readonly deadline: number;
  /** Bytes that the process may use, with its code and fonts. */
  readonly memory: number;
}

/** How often memory is looked at while a job runs, in milliseconds. */
const WATCH = 25;
/** The part of the memory that JavaScript objects may take; bytes of files lie outside. */
const HEAP = 0.5;
/** The part of the memory above which a process takes no further job. */
const GROWN = 0.5;

/** One process that reads files, and at most one job in it. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly #limits: Limits;
  readonly #ready: Promise<void>;
  #job: { settle: (answer: Answer) => void } | undefined;
  #ended = false;

  /** @param draws whether it may load native code, as the canvas of the reader that draws is */
  constructor(limits: Limits, draws: boolean) {
    this.#limits = limits;
    this.#child = fork(new URL('./child.ts', import.meta.url), [], {
      serialization: 'advanced',
      execArgv: [
        `--max-old-space-size=${Math.floor((limits.memory * HEAP) / (1 << 20))}`,
        ...['--permission', '--allow-fs-read=*'], // it may neither write nor start anything
        ...(draws ? ['--allow-addons'] : []),
      ],
      env: {}, // no secrets
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#ready = new Promise((resolve) => {
      this.#child.once('message', () => resolve());
      // There is nothing to wait for then: the job hears why.
      this.#child.once('exit', () => resolve());
      this.#child.once('error', () => resolve());
    });
    this.#child.on('message', (message) => {
      if (message !== READY) this.#job?.settle(message as Answer);
    });
    this.#child.on('error', () => this.#end('crashed'));
    // An abort is V8 at the limit of its heap.
    this.#child.on('exit', (_code, signal) => this.#end(signal === 'SIGABRT' ? 'memory' : 'crashed'));
    this.#rest();
  }

  get ended(): boolean {
    return this.#ended;
  }

  /**
   * One job at a time.
   * @throws {PdfError} what the job threw; deadline, memory, crashed
   */
  async run(question: Question): Promise<unknown> {
    this.#child.ref();
    this.#child.channel?.ref();
    await this.#ready; // the deadline is the job's, not the start's
    const answer = await this.#ask(question);
    this.#job = undefined;
    this.#rest();
    if ('result' in answer) return answer.result;
    throw new PdfError(answer.error, { message: answer.message });
  }

  /** Whether earlier jobs left so much in memory that the next one might be blamed for it. */
  async grown(): Promise<boolean> {
    return (await residentMemory(this.#child.pid)) > this.#limits.memory * GROWN;
  }

  /** Ends it, with the job in it. */
  kill(): void {
    this.#end('stopped');
  }

  #ask(question: Question): Promise<Answer> {
    if (this.#ended) return Promise.resolve({ error: 'crashed', message: new PdfError('crashed').message });
    return new Promise((resolve) => {
      const deadline = setTimeout(() => this.#end('deadline'), this.#limits.deadline);
      const watch = setInterval(() => void this.#watch(), WATCH);
      this.#job = {
        settle: (answer) => {
          clearTimeout(deadline);
          clearInterval(watch);
          resolve(answer);
        },
      };
      this.#child.send(question, (error) => {
        if (error) this.#end('crashed');
      });
    });
  }

  async #watch(): Promise<void> {
    const used = await residentMemory(this.#child.pid);
    if (used > this.#limits.memory) this.#end('memory');
  }

  #end(reason: PdfErrorCode): void {
    if (!this.#ended) this.#child.kill('SIGKILL');
    this.#ended = true;
    this.#job?.settle({ error: reason, message: new PdfError(reason).message });
  }

  /** A process without a job does not keep its parent alive. */
  #rest(): void {
    this.#child.unref();
    this.#child.channel?.unref();
  }
}

/** Bytes; zero where the system does not tell: there the limit of the heap and the deadline hold. */
async function residentMemory(pid: number | undefined): Promise<number> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'latin1');
    return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
