import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { temporaryFolder } from '../folder.ts';
import { freePort, HOST } from '../platform/address.ts';
import { findTool } from '../tools.ts';

/** A throw-away Redis on a loopback port. */
export interface TestRedis {
  readonly url: string;
  /** Ends it at once; `start` starts an empty one on the same port. */
  kill(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  start(): Promise<void>;
}

/**
 * Undefined when there is no redis-server on this machine.
 * @param settings as in its configuration, over those that all tests have
 */
export async function startRedis(
  settings: Readonly<Record<string, string>> = {},
): Promise<TestRedis | undefined> {
  const program = findTool('redis-server');
  if (program === undefined) return undefined;
  const port = settings.port ?? String(await freePort());
  const all = { bind: HOST, save: '', appendonly: 'no', ...settings, port };
  const args = Object.entries(all).flatMap(([name, value]) => [`--${name}`, ...value.split(' ')]);
  let running = await launch(program, args, 'Ready to accept connections');
  return {
    url: `redis://${HOST}:${port}`,
    kill: () => running.kill(),
    signal: (signal: NodeJS.Signals) => running.signal(signal),
    async start() {
      running = await launch(program, args, 'Ready to accept connections');
    },
  };
}

/** The same program as a Sentinel. @param lines of its configuration, which it writes on */
export async function startSentinel(lines: readonly string[]): Promise<AsyncDisposable> {
  const folder = temporaryFolder();
  const file = folder.file('sentinel.conf');
  writeFileSync(file, lines.join('\n'));
  const running = await launch(findTool('redis-server') as string, [file, '--sentinel'], '+monitor master');
  return {
    async [Symbol.asyncDispose]() {
      await running.kill();
      folder[Symbol.dispose]();
    },
  };
}

/** @param ready what it says once it can be used */
async function launch(
  program: string,
  args: readonly string[],
  ready: string,
): Promise<Pick<TestRedis, 'kill' | 'signal'>> {
  const child = spawn(program, args, { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'inherit'] });
  // A test that dies takes it along.
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.includes(ready)) resolve();
    });
    void exited.then(() => reject(new Error('redis-server ended before it was ready.')));
  });
  return {
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    async kill() {
      child.kill('SIGKILL');
      await exited;
      process.off('exit', end);
    },
  };
}
