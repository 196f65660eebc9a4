import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort, HOST } from '../platform/address.ts';
import { findPostgres } from '../tools.ts';

const run = promisify(execFile);

interface Server {
  /** URL of its `postgres` database, for the superuser `symbolon`; it stays the same over a restart. */
  readonly url: string;
  readonly port: number;
  /**
   * Runs shell commands as the user of the server. PostgreSQL's programs are on the path, and reach this server.
   * @returns what they print
   * @throws when one of them fails
   */
  sh(script: string, environment?: Readonly<Record<string, string>>): Promise<string>;
}

/** A PostgreSQL server of one's own, empty, on a loopback port. */
export interface Postgres extends Server {
  /** The folder in which its data is, and that of all servers beside it. */
  readonly folder: string;
  /**
   * Crashes the server: connections break, nothing is flushed. Its data stays for `restart`, which recovers all
   * that was committed when the server is durable; otherwise the last moments may be lost.
   */
  kill(): Promise<void>;
  /** Ends it as `pg_ctl stop -m fast` does: sessions are ended in order, everything is flushed. `restart` follows. */
  halt(): Promise<void>;
  /** Starts it again, on the same port and data, after `kill` or `halt`. */
  restart(): Promise<void>;
  /** A second server that follows this one, and that commits wait for from now on. */
  follow(): Promise<Follower>;
  /** A second server, on data that was put into this folder of `folder`. */
  startOn(name: string): Promise<Server>;
  /** Ends the server, and those that follow it, and removes all that they wrote. */
  stop(): Promise<void>;
}

/** A PostgreSQL that has all that was committed at another one. */
export interface Follower {
  readonly port: number;
  /** Makes it lead. */
  promote(): Promise<void>;
}

/**
 * Starts a throw-away PostgreSQL. The server and its directory are gone after `stop()`, and just as well after
 * this process ends in any other way, SIGKILL included.
 *
 * @param options.durable commits reach the disk, as in production; without it they do not, for speed.
 * @param options.folder where its own folder is made; the folder of temporary files unless said otherwise
 * @param options.settings of `postgresql.conf`, over those that all tests have
 * @returns undefined when PostgreSQL's programs are not on this machine.
 * @throws when they are, but the server does not start; the message holds what it said.
 */
export async function startPostgres(
  options: { durable?: boolean; folder?: string; settings?: Readonly<Record<string, string>> } = {},
): Promise<Postgres | undefined> {
  const programs = findPostgres();
  if (programs === undefined) return undefined;
  const owner = await unprivilegedUser();
  const directory = await mkdtemp(join(options.folder ?? tmpdir(), 'symbolon-postgres-'));
  const keeper = startKeeper(directory);
  const removeAll = async () => {
    keeper.stdin?.end();
    if (keeper.exitCode === null && keeper.signalCode === null) await once(keeper, 'exit');
    await rm(directory, { recursive: true, force: true });
  };
  try {
    if (owner !== undefined) await chown(directory, owner.uid, owner.gid);
    const data = join(directory, 'data');
    const { durable = false, settings = {} } = options;
    const place: Place = { programs, data, directory, owner, durable, settings };
    await createCluster(place);
    const port = await freePort();
    let server: ChildProcess | undefined = await startServer(place, port);
    const followers: ChildProcess[] = [];
    return {
      ...reached(place, port),
      folder: directory,
      async kill() {
        if (server !== undefined) await end(server, 'SIGQUIT');
        server = undefined;
      },
      async halt() {
        if (server !== undefined) await end(server, 'SIGINT');
        server = undefined;
      },
      async restart() {
        if (server !== undefined) throw new Error('PostgreSQL runs already.');
        server = await startServer(place, port);
      },
      async follow() {
        const own = { ...place, data: join(directory, `follower-${followers.length}`) };
        await run(
          join(programs, 'pg_basebackup'),
          [
            '-D',
            own.data,
            '-h',
            HOST,
            '-p',
            String(port),
            '-U',
            'symbolon',
            '-R',
            '-X',
            'stream',
            '-c',
            'fast',
          ],
          asOwner(own),
        );
        const ownPort = await freePort();
        followers.push(await startServer(own, ownPort));
        await run(
          join(programs, 'psql'),
          [
            ...['-h', HOST, '-p', String(port), '-U', 'symbolon', '-d', 'postgres'],
            ...['-c', "alter system set synchronous_standby_names = '*'", '-c', 'select pg_reload_conf()'],
          ],
          asOwner(place),
        );
        return {
          port: ownPort,
          promote: async () => {
            await run(join(programs, 'pg_ctl'), ['promote', '-w', '-D', own.data], asOwner(own));
          },
        };
      },
      async startOn(name) {
        const ownPort = await freePort();
        followers.push(await startServer({ ...place, data: join(directory, name) }, ownPort));
        return reached(place, ownPort);
      },
      async stop() {
        for (const follower of followers) await end(follower, 'SIGINT');
        if (server !== undefined) await end(server, 'SIGINT');
        server = undefined;
        await removeAll();
      },
    };
  } catch (error) {
    await removeAll();
    throw error;
  }
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

interface Place {
  /** Folder of `initdb` and `postgres`. */
  readonly programs: string;
  readonly directory: string;
  readonly data: string;
  /** The user the server runs as; undefined: as this process. */
  readonly owner: User | undefined;
  readonly durable: boolean;
  readonly settings: Readonly<Record<string, string>>;
}

/** PostgreSQL refuses to run as root: then a user without rights owns and runs it. */
async function unprivilegedUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {}
  }
  throw new Error('PostgreSQL does not run as root, and neither user postgres nor nobody exists.');
}

/**
 * A shell that outlives this process by a moment: when its standard input ends, because `stop` ended it or because
 * this process is gone, it ends the server and removes the directory. It has a session of its own, so that a
 * terminal's Ctrl-C does not end it too, and holds this process's standard error open until it is done.
 */
function startKeeper(directory: string): ChildProcess {
  // The server removes its lock file last; its process may stay longer, as a zombie without a waiting parent.
  const script = `
    cat > /dev/null
    for lock in "$1"/*/postmaster.pid; do
      if [ -f "$lock" ] && read -r pid < "$lock"; then
        kill -QUIT "$pid" 2> /dev/null
        tries=0
        while [ -f "$lock" ] && [ $tries -lt 200 ]; do sleep 0.05; tries=$((tries + 1)); done
        [ ! -f "$lock" ] || kill -KILL "$pid" 2> /dev/null
      fi
    done
    tries=0
    until rm -rf "$1" 2> /dev/null || [ $tries -ge 20 ]; do sleep 0.1; tries=$((tries + 1)); done`;
  return spawn('sh', ['-c', script, 'keeper', directory], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
}

/** How PostgreSQL's programs are run: nothing of the caller's settings (PGPORT, PGDATA, LANG, …) reaches them. */
const asOwner = ({ directory, owner }: Place) => ({
  cwd: directory,
  env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
  ...owner,
});

function reached(place: Place, port: number): Server {
  const { env, ...asUser } = asOwner(place);
  const server = { PGHOST: HOST, PGPORT: String(port), PGUSER: 'symbolon', PGDATABASE: 'postgres' };
  return {
    url: `postgres://symbolon@${HOST}:${port}/postgres`,
    port,
    async sh(script, environment) {
      const PATH = `${place.programs}:${env.PATH}`;
      const options = { ...asUser, env: { ...env, PATH, ...server, ...environment } };
      return (await run('sh', ['-ec', script], options)).stdout;
    },
  };
}

async function createCluster(place: Place): Promise<void> {
  const args = [
    '-D',
    place.data,
    '-U',
    'symbolon',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    '--no-sync',
  ];
  await run(join(place.programs, 'initdb'), args, asOwner(place));
}

/** Resolves when the server accepts connections. */
async function startServer(place: Place, port: number): Promise<ChildProcess> {
  const settings = {
    listen_addresses: HOST,
    port: String(port),
    unix_socket_directories: '',
    max_connections: '300',
    ...(place.durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    // What the server says of itself; the errors of statements are the tests' own business.
    log_min_messages: 'log',
    log_destination: 'stderr',
    logging_collector: 'off',
    lc_messages: 'C',
    ...place.settings,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(place.programs, 'postgres'), ['-D', place.data, ...args], {
    ...asOwner(place),
    // Away from the terminal's Ctrl-C: tests that are being interrupted still reach their database.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${said.join('\n')}`)));
    createInterface({ input: server.stderr }).on('line', (line) => {
      if (/database system is ready to accept (read-only )?connections/.test(line)) resolve();
      if (said.length < 50) said.push(line);
    });
  });
  return server;
}

/** SIGINT: connections are closed, then it ends in order; SIGQUIT: at once, as in a crash. */
async function end(server: ChildProcess, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill(signal);
  // A backend that does not listen must not hold up the end: after a while it is no longer asked.
  const impatience = setTimeout(() => server.kill('SIGQUIT'), 5_000);
  await ended;
  clearTimeout(impatience);
}
