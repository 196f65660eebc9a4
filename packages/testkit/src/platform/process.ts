import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { baseAt, freePort, HOST } from './address.ts';
import { bundled, compileCacheOf } from './bundle.ts';
import { PlatformAt } from './calls.ts';

const SCRIPTS = join(import.meta.dirname, '../processes');
/** Serves; prints when it stood still. */
const SERVE = join(SCRIPTS, 'serve.ts');
/** How a program says that it serves: by its address, or as the command does. */
const SERVES = /^https?:\/\/| serves on | works for /;
/** How Node and the query builder warn: what they warn of ends one day. */
const DEPRECATED = /DeprecationWarning| is deprecated/;
const KEPT_LINES = 400;
const TOLD_LINES = 20;

/** Of children that still run: they go with this process. */
const children = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL');
});

/** What is started; `processes/serve.ts` when nothing is said. */
export interface Program {
  readonly script?: string;
  readonly args?: readonly string[];
  /** A port that others know already; a free one when left out. */
  readonly port?: number;
  readonly name?: string;
}

/** The platform as a process, which can be stopped, killed, frozen, and started again at the same address. */
export class PlatformProcess extends PlatformAt implements AsyncDisposable {
  readonly name: string;
  readonly port: number;
  /** What it printed last. */
  readonly lines: string[] = [];
  /** Its output each time it ended unasked. */
  readonly endings: string[] = [];
  /** Listeners for the rest of each line that begins so. */
  readonly hears = new Map<string, (rest: string) => void>();
  /** Variables on top of the others at the next start. */
  extra: Readonly<Record<string, string>> = {};
  /** Of the last time that it ended; null: by a signal. */
  exitCode: number | null | undefined;
  frozen = false;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #script: string;
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  #exited: Promise<unknown> = Promise.resolve();

  private constructor(environment: Readonly<Record<string, string>>, port: number, program: Program) {
    super(baseAt(port));
    this.port = port;
    this.name = program.name ?? 'the platform';
    this.#environment = {
      SYMBOLON_MANAGEMENT_ADDRESS: 'off',
      ...environment,
      SYMBOLON_HOST: HOST,
      SYMBOLON_PORT: String(port),
    };
    this.#script = program.script ?? SERVE;
    this.#args = program.args ?? [];
  }

  /** It is not started yet. @param environment its variables, over those of this process */
  static async create(
    environment: Readonly<Record<string, string>>,
    program: Program = {},
  ): Promise<PlatformProcess> {
    return new PlatformProcess(environment, program.port ?? (await freePort()), program);
  }

  get running(): boolean {
    return this.#child !== undefined;
  }

  /** Resolves once it serves. @throws when it ended before that */
  async start(): Promise<void> {
    if (await this.tryToStart()) return;
    throw new Error(`${this.name} does not serve: ${this.endings.at(-1) ?? 'it was killed'}`);
  }

  /** Resolves with true once it serves, with false when it ended before: whoever kills it meanwhile asked for that. */
  async tryToStart(): Promise<boolean> {
    const script = await bundled(this.#script);
    if (this.#child !== undefined) throw new Error(`${this.name} runs already.`);
    const child = spawn(process.execPath, [script, ...this.#args], {
      env: {
        ...process.env,
        // Starting is what takes time: what was compiled once is kept.
        NODE_COMPILE_CACHE: compileCacheOf(script),
        ...this.#environment,
        ...this.extra,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    children.add(child);
    const ready = new Promise<boolean>((resolve) => {
      for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on('line', (line) => {
          if (SERVES.test(line)) resolve(true);
          this.#hear(line);
        });
      }
    });
    this.#exited = once(child, 'exit').then(([code, signal]) => {
      children.delete(child);
      this.exitCode = code;
      if (this.#child !== child) return;
      // It was not asked to end, so it crashed.
      this.#child = undefined;
      const last = this.lines.slice(-TOLD_LINES).join('\n');
      this.endings.push(`${this.name} ended with ${code ?? signal}:\n${last}`);
    });
    return Promise.race([ready, this.#exited.then(() => false)]);
  }

  /** As a power cut of its host would: nothing is finished, nothing flushed. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /**
   * Asks it to end in order: what is in hand is finished.
   * @param mostMs after which it is killed
   * @returns whether it ended in that time
   */
  async stop(mostMs?: number): Promise<boolean> {
    let inTime = true;
    const child = this.#child;
    const impatience =
      mostMs === undefined
        ? undefined
        : setTimeout(() => {
            inTime = false;
            child?.kill('SIGKILL');
          }, mostMs);
    await this.#end('SIGTERM');
    clearTimeout(impatience);
    return inTime;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.kill();
  }

  /** Resolves once it has ended by itself. */
  async ended(): Promise<void> {
    await this.#exited;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Holds it where it stands; it does not know. */
  freeze(): void {
    this.frozen = this.#child?.kill('SIGSTOP') ?? false;
  }

  thaw(): void {
    this.frozen = false;
    this.#child?.kill('SIGCONT');
  }

  #hear(line: string): void {
    // It fails the test that runs.
    if (DEPRECATED.test(line)) throw new Error(`${this.name} uses what is deprecated: ${line}`);
    this.lines.push(line);
    if (this.lines.length > KEPT_LINES) this.lines.shift();
    for (const [beginning, told] of this.hears)
      if (line.startsWith(beginning)) told(line.slice(beginning.length));
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    if (this.frozen && signal !== 'SIGKILL') child.kill('SIGCONT');
    this.frozen = false;
    child.kill(signal);
    await this.#exited;
  }
}

/** One of `processes/`. */
export const processScript = (name: 'dying' | 'dying-migration' | 'measured' | 'newer'): string =>
  join(SCRIPTS, `${name}.ts`);
