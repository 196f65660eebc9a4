import { execFile, spawn } from 'node:child_process';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

/** A PostgreSQL server that lives as long as it is needed. */
export interface TemporaryPostgres {
  /** URL of its `postgres` database, for a superuser. */
  readonly url: string;
  readonly port: number;
  /** Kills the server as a crash would; its files stay until `stop`. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a throw-away PostgreSQL on a free loopback port, or gives undefined when its programs are not installed.
 * Durability is off unless asked for: its files do not outlive it.
 */
export async function startPostgres(
  options: { durable?: boolean } = {},
): Promise<TemporaryPostgres | undefined> {
  const bin = await findPrograms();
  if (bin === undefined) return undefined;
  // The server refuses to run as root; any other user will do.
  const user = process.getuid?.() === 0 ? await unprivilegedUser() : undefined;
  const directory = await mkdtemp(join(tmpdir(), 'symbolon-postgres-'));
  if (user !== undefined) await chown(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  const port = await freePort();
  try {
    await run(join(bin, 'initdb'), ['-D', data, '-U', 'symbolon', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
      ...user,
      cwd: directory,
    });
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw error;
  }
  const fast = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];
  const settings = [
    'max_connections=300',
    `unix_socket_directories=${directory}`,
    ...(options.durable ? [] : fast),
  ];
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-h', '127.0.0.1', '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...user, cwd: directory, stdio: 'ignore' },
  );
  const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode === null && server.signalCode === null) server.kill(signal);
    await exited;
  };
  const url = `postgres://symbolon@127.0.0.1:${port}/postgres`;
  const running = {
    url,
    port,
    kill: () => end('SIGKILL'),
    async stop() {
      await end('SIGINT');
      await rm(directory, { recursive: true, force: true });
    },
  };
  try {
    await answers(url, () => server.exitCode !== null);
  } catch (error) {
    await running.stop();
    throw error;
  }
  return running;
}

/** The folder with initdb and postgres: on the PATH, else the newest of Debian's. */
async function findPrograms(): Promise<string | undefined> {
  const debian = '/usr/lib/postgresql';
  const versions = await readdir(debian).catch(() => []);
  const newestFirst = versions
    .map(Number)
    .filter(Number.isFinite)
    .sort((a, b) => b - a);
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...newestFirst.map((version) => join(debian, String(version), 'bin')),
  ];
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    if (names.includes('initdb') && names.includes('postgres')) return folder;
  }
  return undefined;
}

async function unprivilegedUser(): Promise<{ uid: number; gid: number }> {
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {}
  }
  throw new Error('PostgreSQL does not run as root, and there is no user postgres or nobody to run it as.');
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  if (address === null || typeof address === 'string') throw new Error('No free port was found.');
  return address.port;
}

async function answers(url: string, ended: () => boolean): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch (error) {
      if (ended() || Date.now() > deadline) throw new Error('PostgreSQL did not start.', { cause: error });
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      await client.end().catch(() => {});
    }
  }
}
