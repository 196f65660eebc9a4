import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { host, usage } from './children/answering.ts';
import { SMALL } from './setting.ts';

/** Processor time in microseconds, memory in bytes, since the process began. */
export interface Usage {
  readonly cpuMicros: number;
  readonly rss: number;
  readonly peakRss: number;
}

interface ChildOptions {
  readonly env?: Record<string, string>;
  readonly execArgv?: string[];
}

/** Where a script runs. */
interface Place {
  ask(question: object): Promise<unknown>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/**
 * A script of `children/` in a process of its own. It says `{ready}` once and then answers questions one at a time; `stop`
 * lets it finish. In the smallest setting all scripts run in this process: loading the platform for each would be nearly
 * all of the work.
 */
export class Child<Ready> {
  readonly #place: Place;
  readonly ready: Ready;

  private constructor(place: Place, ready: Ready) {
    this.#place = place;
    this.ready = ready;
  }

  /** @param script file of `children/` */
  static async start<Ready>(
    script: string,
    args: readonly string[] = [],
    options: ChildOptions = {},
  ): Promise<Child<Ready>> {
    const url = new URL(`./children/${script}`, import.meta.url);
    const { place, ready } = await (SMALL ? within : forked)<Ready>(url, args, options);
    return new Child<Ready>(place, ready);
  }

  /** Ends what a benchmark that failed has left. */
  static killAll(): void {
    for (const child of running) child.kill('SIGKILL');
  }

  ask<Answer>(question: object): Promise<Answer> {
    return this.#place.ask(question) as Promise<Answer>;
  }

  usage(): Promise<Usage> {
    return this.ask({ usage: true });
  }

  stop(): Promise<void> {
    return this.#place.stop();
  }

  /** Ends it as a power cut would, as far as the process is concerned; in order where it has none of its own. */
  kill(): Promise<void> {
    return this.#place.kill();
  }
}

const running = new Set<ChildProcess>();

async function forked<Ready>(
  url: URL,
  args: readonly string[],
  options: ChildOptions,
): Promise<{ place: Place; ready: Ready }> {
  const child = fork(url, args, {
    env: { ...process.env, NODE_ENV: 'production', ...options.env },
    // Logs go nowhere a terminal could slow them down, errors where they are seen.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: options.execArgv ?? [],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const { ready } = await nextMessage<{ ready: Ready }>(child);
  const ending = async (end: () => void) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    end();
    await exited;
  };
  const place: Place = {
    ask(question) {
      const answer = nextMessage(child);
      child.send(question);
      return answer;
    },
    stop: () => ending(() => child.send({ stop: true })),
    kill: () => ending(() => child.kill('SIGKILL')),
  };
  return { place, ready };
}

async function within<Ready>(
  url: URL,
  args: readonly string[],
  options: ChildOptions,
): Promise<{ place: Place; ready: Ready }> {
  const { ready, answer, stop } = await host(url, args, { ...process.env, ...options.env });
  let stopped: Promise<void> | undefined;
  const end = async () => {
    stopped ??= stop?.();
    await stopped;
  };
  const place: Place = {
    ask: async (question) => ('usage' in question ? usage() : await answer?.(question as never)),
    stop: end,
    kill: end,
  };
  return { place, ready: ready as Ready };
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
