import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pLimit from 'p-limit';
import { bundled, compileCacheOf } from '../platform/bundle.ts';
import type { Asked } from '../processes/commands.ts';

/** The command as a process of its own. */
export const COMMAND = fileURLToPath(new URL('../../../cli/src/main.ts', import.meta.url));
/** As tests start it. */
export const MAIN = await bundled(COMMAND);

export type Ended = { code: number | null; stdout: string; stderr: string };
type Options = { env?: Readonly<Record<string, string>>; input?: string | Uint8Array; cwd?: string };

const COMMANDS = await bundled(fileURLToPath(new URL('../processes/commands.ts', import.meta.url)));
/** A process takes a second to start, so commands that come together wait for each other. */
const HOSTS_MOST = 2;
const inTurn = pLimit(HOSTS_MOST);
/** Processes that wait for a command. They go with this one, and are waited for. */
const idle: ChildProcess[] = [];
process.on('beforeExit', () => {
  for (const host of idle.splice(0)) {
    host.ref();
    host.disconnect();
  }
});

/**
 * Runs the command to its end, in a process that does one after the other: it starts in a tenth of the time. Nothing of the
 * caller's own configuration reaches it.
 */
export function symbolon(args: readonly string[], options: Options = {}): Promise<Ended> {
  return inTurn(() => runInHost(args, options));
}

async function runInHost(args: readonly string[], { env, input = '' }: Options): Promise<Ended> {
  const host = idle.pop() ?? startHost();
  host.ref();
  host.channel?.ref();
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  const fail = () => reject(new Error(`symbolon ${args.join(' ')} ended the process of commands.`));
  host.once('exit', fail).once('message', resolve);
  host.send({ args, env: environmentOf(MAIN, env), input } satisfies Asked);
  const ended = await promise;
  host.off('exit', fail);
  host.channel?.unref();
  host.unref();
  idle.push(host);
  return ended;
}

function startHost(): ChildProcess {
  return fork(COMMANDS, {
    env: environmentOf(COMMANDS),
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}

/** The same in a process of its own, as people run it. */
export async function symbolonProcess(args: readonly string[], options: Options = {}): Promise<Ended> {
  const child = spawnSymbolon(args, options);
  child.stdin?.end(options.input ?? '');
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout as NonNullable<typeof child.stdout>),
    text(child.stderr as NonNullable<typeof child.stderr>),
    once(child, 'exit'),
  ]);
  return { code: code as number | null, stdout, stderr };
}

/** A command that runs on; `line` waits for what it prints, `end` sends a signal and waits. */
export class RunningCommand {
  readonly child: ChildProcess;
  #printed = '';
  #errors = '';
  readonly #exit: Promise<number | null>;

  constructor(args: readonly string[], options: Options = {}) {
    this.child = spawnSymbolon(args, options);
    this.child.stdout?.on('data', (chunk) => {
      this.#printed += chunk;
    });
    this.child.stderr?.on('data', (chunk) => {
      this.#errors += chunk;
    });
    this.#exit = once(this.child, 'exit').then(([code]) => code);
  }

  /** The first match in what it has printed or will print. */
  async line(pattern: RegExp): Promise<RegExpExecArray> {
    const { stdout } = this.child;
    for (;;) {
      const found = pattern.exec(this.#printed);
      if (found) return found;
      const ended = this.#exit.then(() => 'ended');
      if (stdout === null || (await Promise.race([once(stdout, 'data'), ended])) === 'ended') {
        const last = pattern.exec(this.#printed);
        if (last) return last;
        throw new Error(`${pattern} was never printed:\n${this.#printed}\n${this.#errors}`);
      }
    }
  }

  async end(signal: NodeJS.Signals): Promise<Ended> {
    this.child.kill(signal);
    return this.ended();
  }

  async ended(): Promise<Ended> {
    const code = await this.#exit;
    return { code, stdout: this.#printed, stderr: this.#errors };
  }
}

function spawnSymbolon(args: readonly string[], { env, cwd }: Options): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], {
    env: environmentOf(MAIN, env),
    ...(cwd !== undefined && { cwd }),
    stdio: 'pipe',
  });
}

function environmentOf(program: string, own: Options['env'] = {}): Record<string, string> {
  const inherited = Object.entries(process.env as Record<string, string>).filter(
    ([name]) => !/^(SYMBOLON_|DATABASE_URL$|NO_COLOR$|FORCE_COLOR$|NODE_TEST_CONTEXT$)/.test(name),
  );
  return {
    ...Object.fromEntries(inherited),
    XDG_CONFIG_HOME: NO_CONFIG,
    NODE_COMPILE_CACHE: compileCacheOf(program),
    ...own,
  };
}

/** Profiles are neither read from the caller's configuration nor left there. */
const NO_CONFIG = join(tmpdir(), `symbolon-no-config-${process.pid}`);
process.once('exit', () => rmSync(NO_CONFIG, { recursive: true, force: true }));
