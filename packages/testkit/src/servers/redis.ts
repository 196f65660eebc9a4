import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, constants } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort, HOST } from '../platform/address.ts';

/** A throw-away Redis on a loopback port. */
export interface TestRedis {
  readonly url: string;
  /** Ends it at once; `start` starts an empty one on the same port. */
  kill(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  start(): Promise<void>;
}

/** Undefined when there is no redis-server on this machine. */
export async function startRedis(): Promise<TestRedis | undefined> {
  const program = await findRedis();
  if (program === undefined) return undefined;
  const port = await freePort();
  let running = await launch(program, port);
  return {
    url: `redis://${HOST}:${port}`,
    kill: () => running.kill(),
    signal: (signal: NodeJS.Signals) => running.signal(signal),
    async start() {
      running = await launch(program, port);
    },
  };
}

async function findRedis(): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? '').split(delimiter).filter((part) => part !== '')) {
    try {
      await access(join(folder, 'redis-server'), constants.X_OK);
      return join(folder, 'redis-server');
    } catch {}
  }
  return undefined;
}

async function launch(program: string, port: number): Promise<Pick<TestRedis, 'kill' | 'signal'>> {
  const args = ['--port', String(port), '--bind', HOST, '--save', '', '--appendonly', 'no'];
  const child = spawn(program, args, { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'inherit'] });
  // A test that dies takes it along.
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.includes('Ready to accept connections')) resolve();
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
