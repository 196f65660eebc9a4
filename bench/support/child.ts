import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** Processor time in microseconds, memory in bytes, since the process began. */
export interface Usage {
  readonly cpuMicros: number;
  readonly rss: number;
  readonly peakRss: number;
}

/**
 * A script of `children/` in a process of its own. It says `{ready}` once and then answers questions one at a time;
 * `stop` lets it finish.
 */
export class Child<Ready> {
  static readonly #running = new Set<ChildProcess>();
  readonly process: ChildProcess;
  readonly ready: Ready;

  private constructor(process: ChildProcess, ready: Ready) {
    this.process = process;
    this.ready = ready;
  }

  /** @param script file of `children/` */
  static async start<Ready>(
    script: string,
    args: readonly string[] = [],
    options: { env?: Record<string, string>; execArgv?: string[] } = {},
  ): Promise<Child<Ready>> {
    const child = fork(new URL(`./children/${script}`, import.meta.url), args, {
      env: { ...process.env, NODE_ENV: 'production', ...options.env },
      // Logs go nowhere a terminal could slow them down, errors where they are seen.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: options.execArgv ?? [],
    });
    Child.#running.add(child);
    child.once('exit', () => Child.#running.delete(child));
    const { ready } = await nextMessage<{ ready: Ready }>(child);
    return new Child<Ready>(child, ready);
  }

  /** Ends what a benchmark that failed has left. */
  static killAll(): void {
    for (const child of Child.#running) child.kill('SIGKILL');
  }

  async ask<Answer>(question: object): Promise<Answer> {
    const answer = nextMessage<Answer>(this.process);
    this.process.send(question);
    return answer;
  }

  usage(): Promise<Usage> {
    return this.ask({ usage: true });
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const exited = once(this.process, 'exit');
    this.process.send({ stop: true });
    await exited;
  }

  /** Ends it as a power cut would, as far as the process is concerned. */
  async kill(): Promise<void> {
    const exited = once(this.process, 'exit');
    this.process.kill('SIGKILL');
    await exited;
  }
}

async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  const waiting = new AbortController();
  try {
    return await Promise.race([
      once(child, 'message', { signal: waiting.signal }).then(([message]) => message as Message),
      once(child, 'exit', { signal: waiting.signal }).then(([code, signal]) => {
        throw new Error(`${child.spawnargs[1]} ended early (${code ?? signal}).`);
      }),
    ]);
  } finally {
    waiting.abort();
  }
}
