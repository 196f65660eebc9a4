import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '../../packages/cli/src/main.ts');
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;

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

/**
 * The platform keeps it when it starts again. It lies below the ports that systems hand out by themselves (from 32768, Linux; from
 * 49152, others): nobody is given it while the platform is away.
 */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EADDRINUSE') return false;
        throw error;
      },
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
