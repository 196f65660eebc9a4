import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const COMMAND = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));
/** Starting is what takes time: what was compiled once is kept. */
const CACHE = join(tmpdir(), 'symbolon-compile-cache');
const KEPT_LINES = 400;

/** `symbolon serve` as a child, which can be killed, frozen and started again at the same port. */
export class PlatformProcess {
  readonly name: string;
  readonly port: number;
  /** What it logged and said last. */
  readonly lines: string[] = [];
  /** Each time it ended although nobody asked it to. */
  readonly falls: string[] = [];
  /** Variables on top of the others at the next start. */
  extra: Readonly<Record<string, string>> = {};
  readonly #environment: Readonly<Record<string, string>>;
  #child: ChildProcess | undefined;
  #exited: Promise<unknown> = Promise.resolve();
  frozen = false;

  constructor(name: string, port: number, environment: Readonly<Record<string, string>>) {
    this.name = name;
    this.port = port;
    this.#environment = environment;
  }

  get running(): boolean {
    return this.#child !== undefined;
  }

  /** Resolves with true once it serves, with false when it ended before. A test that kills it meanwhile asked for that. */
  async start(): Promise<boolean> {
    if (this.#child !== undefined) throw new Error(`${this.name} runs already.`);
    const child = spawn(process.execPath, [COMMAND, 'serve', '--port', String(this.port)], {
      env: { NODE_COMPILE_CACHE: CACHE, ...process.env, ...this.#environment, ...this.extra },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    const withParent = () => void child.kill('SIGKILL');
    process.once('exit', withParent);
    const ready = new Promise<boolean>((resolve) => {
      for (const stream of [child.stdout, child.stderr]) {
        createInterface({ input: stream }).on('line', (line) => {
          this.lines.push(line);
          if (this.lines.length > KEPT_LINES) this.lines.shift();
          if (/ (serves on|works for) /.test(line)) resolve(true);
        });
      }
    });
    this.#exited = once(child, 'exit').then(([code, signal]) => {
      process.off('exit', withParent);
      if (this.#child !== child) return;
      this.#child = undefined;
      this.falls.push(`${this.name} ended with ${code ?? signal}: ${this.lines.slice(-4).join(' | ')}`);
    });
    return Promise.race([ready, this.#exited.then(() => false)]);
  }

  /** As a power cut of its host would. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /**
   * Asks it to end in order.
   * @returns the milliseconds that it took; undefined: it had to be killed after `mostMs`
   */
  async stop(mostMs = 30_000): Promise<number | undefined> {
    const began = performance.now();
    let killed = false;
    const child = this.#child;
    const impatience = setTimeout(() => {
      killed = true;
      child?.kill('SIGKILL');
    }, mostMs);
    await this.#end('SIGTERM');
    clearTimeout(impatience);
    return killed ? undefined : performance.now() - began;
  }

  freeze(): void {
    this.frozen = this.#child?.kill('SIGSTOP') ?? false;
  }

  thaw(): void {
    this.frozen = false;
    this.#child?.kill('SIGCONT');
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
