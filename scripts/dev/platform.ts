import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../packages/cli/src/main.ts');

/** A platform that starts again when one of its sources changes. */
export interface DevPlatform {
  readonly port: number;
  /** Has it finish the requests in hand. */
  stop(): Promise<void>;
}

/** Starts the platform on a free port of this machine. It prints to where this process does. */
export async function startPlatform(environment: NodeJS.ProcessEnv, inspect = false): Promise<DevPlatform> {
  const port = await freePort();
  const flags = ['--watch', '--watch-preserve-output', ...(inspect ? ['--inspect'] : [])];
  const child = spawn(process.execPath, [...flags, MAIN, 'serve'], {
    env: { ...environment, SYMBOLON_HOST: '127.0.0.1', SYMBOLON_PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit'],
    // Ctrl-C in a terminal goes to a whole group: a second signal would end the platform before it has finished.
    detached: true,
  });
  const ended = once(child, 'exit');
  const kill = () => {
    // The group: the platform is a child of the process that watches the sources.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  process.once('exit', kill);
  return {
    port,
    async stop() {
      child.kill('SIGTERM');
      await ended;
      process.off('exit', kill);
    },
  };
}

/** The platform keeps it when it starts again. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
