import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { SLOW_DATABASE, STALLED } from './stalls.ts';

const CACHE = join(tmpdir(), 'symbolon-compile-cache');
const SCRIPT = fileURLToPath(new URL('./serve-process.ts', import.meta.url));

/** One process of the platform, which starts again at the same address and under the same name. */
export class ServerProcess {
  readonly url: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #script: string;
  #child: ChildProcess | undefined;
  #exited: Promise<unknown> = Promise.resolve();
  /** Told how many milliseconds it stood still until now. */
  onStall: (ms: number) => void = () => {};
  /** Told how many milliseconds a transaction took that has just ended. */
  onSlowDatabase: (ms: number) => void = () => {};
  /** What it said as it ended by itself; empty: it never did. */
  readonly endings: string[] = [];

  private constructor(url: string, environment: Readonly<Record<string, string>>, script: string) {
    this.url = url;
    this.#environment = environment;
    this.#script = script;
  }

  /**
   * @param port of loopback; a free one when left out
   * @param script that serves and prints its address
   */
  static async create(
    environment: Readonly<Record<string, string>>,
    port?: number,
    script = SCRIPT,
  ): Promise<ServerProcess> {
    port ??= await freePort();
    const url = `http://127.0.0.1:${port}`;
    return new ServerProcess(url, { ...environment, SYMBOLON_PORT: String(port) }, script);
  }

  get running(): boolean {
    return this.#child !== undefined;
  }

  /** Resolves once it serves. */
  async start(): Promise<void> {
    if (this.#child !== undefined) throw new Error('It runs already.');
    const child = spawn(process.execPath, [this.#script], {
      // Starting is what takes time: what was compiled once is kept.
      env: { NODE_COMPILE_CACHE: CACHE, ...process.env, ...this.#environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => {
      said.push(line);
      if (said.length > 30) said.shift();
    });
    const output = createInterface({ input: child.stdout });
    this.#child = child;
    this.#exited = once(child, 'exit').then(([code, signal]) => {
      // Nobody asked it to: then it fell over.
      if (this.#child === child) {
        this.#child = undefined;
        this.endings.push(`ended with ${code ?? signal}:\n${said.join('\n')}`);
      }
    });
    const served = await Promise.race([
      new Promise<boolean>((resolve) => {
        // Whatever it logs comes on the same channel; the address is the first line that is one.
        output.on('line', (line) => {
          if (line.startsWith('http')) resolve(true);
          if (line.startsWith(STALLED)) this.onStall(Number(line.slice(STALLED.length)));
          if (line.startsWith(SLOW_DATABASE)) this.onSlowDatabase(Number(line.slice(SLOW_DATABASE.length)));
        });
      }),
      this.#exited.then(() => false),
    ]);
    if (!served) throw new Error(`The server ended before it served: ${this.endings.at(-1)}`);
  }

  /** As a power cut would: nothing is finished, nothing flushed. */
  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  /** In order: what is in hand is finished. */
  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  /** Resolves once it has ended by itself. */
  async ended(): Promise<void> {
    await this.#exited;
  }

  /** Holds it where it stands; it does not know. */
  freeze(): void {
    this.#child?.kill('SIGSTOP');
  }

  thaw(): void {
    this.#child?.kill('SIGCONT');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined) return;
    this.#child = undefined;
    child.kill(signal);
    await this.#exited;
  }
}

/** A port of loopback that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('No loopback port is free.');
  return address.port;
}
