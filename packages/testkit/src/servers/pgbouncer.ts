import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../folder.ts';
import { freePort, HOST } from '../platform/address.ts';
import { eventually } from '../platform/eventually.ts';
import { findTool } from '../tools.ts';
import { listens } from './listening.ts';

/** PgBouncer in front of a PostgreSQL, as a user without rights. */
export interface TestPooler extends AsyncDisposable {
  /** Of the same database, through it. */
  readonly url: string;
}

/** @param mode for how long it lends a connection of the server */
export async function startPgBouncer(
  databaseUrl: string,
  mode: 'session' | 'transaction',
): Promise<TestPooler> {
  const { path, [Symbol.dispose]: remove } = temporaryFolder();
  const target = new URL(databaseUrl);
  const port = await freePort();
  const file = join(path, 'pgbouncer.ini');
  await chmod(path, 0o755);
  await writeFile(
    file,
    `[databases]
* = host=${target.hostname} port=${target.port} user=${target.username}
[pgbouncer]
listen_addr = ${HOST}
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
max_client_conn = 500
default_pool_size = ${mode === 'session' ? 100 : 10}
`,
  );
  const isRoot = process.getuid?.() === 0;
  const child = spawn(
    findTool('pgbouncer') ?? 'pgbouncer',
    ['--quiet', ...(isRoot ? ['--user=nobody'] : []), file],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  const exited = once(child, 'exit');
  await eventually('PgBouncer listens', async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}.`);
    return (await listens(port)) || undefined;
  });
  const own = new URL(databaseUrl);
  own.host = `${HOST}:${port}`;
  return {
    url: own.href,
    async [Symbol.asyncDispose]() {
      end();
      process.off('exit', end);
      await exited;
      remove();
    },
  };
}
