import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { access, constants, readdir } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { BackupError } from './format.ts';

const PROGRAMS = ['pg_dump', 'pg_restore', 'psql'] as const;
type ProgramName = (typeof PROGRAMS)[number];
/** Where a program is; undefined when it is not on this machine. */
export type FindProgram = (name: ProgramName) => Promise<string | undefined>;

/** By PATH, else Debian's folder of the newest version. */
export const findProgram: FindProgram = async (name) => {
  const debian = '/usr/lib/postgresql';
  const versions = await readdir(debian).catch((): string[] => []);
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a)).map((of) => join(debian, of, 'bin'));
  const onPath = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  for (const folder of [...onPath, ...newestFirst]) {
    try {
      await access(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {}
  }
  return undefined;
};

/**
 * Why backups of a PostgreSQL cannot be made, or not be restored on trial, with the programs that are here.
 * @param serverVersion as the server says it, such as `17.2 (Debian 17.2-1)`
 * @returns a sentence; undefined when nothing is in the way
 */
export async function lackOfPrograms(
  serverVersion: string,
  find: FindProgram = findProgram,
): Promise<string | undefined> {
  const found = await Promise.all(PROGRAMS.map(find));
  const missing = PROGRAMS[found.indexOf(undefined)];
  if (missing !== undefined) return notInstalled(missing);
  const [dump = ''] = found;
  const version = await promisify(execFile)(dump, ['--version']).then(
    ({ stdout }) => Number.parseInt(/[\d.]+/.exec(stdout)?.[0] ?? '', 10),
    () => Number.NaN,
  );
  const server = Number.parseInt(serverVersion, 10);
  if (version >= server) return undefined;
  return Number.isNaN(version)
    ? `${dump} does not run.`
    : `pg_dump ${version} refuses PostgreSQL ${server}. Install client programs of version ${server} or newer.`;
}

const notInstalled = (name: ProgramName) =>
  `${name} is not installed here. Install PostgreSQL's client programs, or take the image that has them.`;

const SAID_MOST = 2000;

/**
 * Runs a program of PostgreSQL's against a database.
 * @throws {BackupError} when it is not there or fails, with what it said
 */
export async function runProgram(
  name: ProgramName,
  databaseUrl: string | undefined,
  args: readonly string[],
  find: FindProgram = findProgram,
): Promise<void> {
  await start(await pathOf(name, find), databaseUrl, args, ['ignore', 'ignore']).ended;
}

/**
 * Writes what an archive holds into a database, in one transaction that drops what is there first.
 * @param drops statements
 * @param args of pg_restore, with the archive
 * @param last statements that run before the commit: one that fails undoes everything
 * @throws {BackupError} when a program is not there or fails, with what it said: then nothing has changed
 */
export async function replaceContent(
  databaseUrl: string,
  drops: readonly string[],
  args: readonly string[],
  last: readonly string[],
  find: FindProgram = findProgram,
): Promise<void> {
  const [restorePath, psqlPath] = await Promise.all([pathOf('pg_restore', find), pathOf('psql', find)]);
  // Nothing may be awaited until the two are connected: what a program wrote before its end is thrown away if nobody reads it yet.
  const archive = start(restorePath, undefined, ['--file=-', ...args], ['ignore', 'pipe']);
  const psql = start(
    psqlPath,
    databaseUrl,
    ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1'],
    ['pipe', 'ignore'],
  );
  const stdin = psql.child.stdin as Writable;
  // What psql has against it is said by its end.
  stdin.on('error', () => {});
  // Notices of what is dropped would stand before what went wrong.
  stdin.write(['set client_min_messages = warning;', 'begin;', ...drops, ''].join('\n'));
  archive.child.stdout?.pipe(stdin, { end: false });
  const [replaced, read] = await Promise.allSettled([
    // Nobody reads on: pg_restore would wait for that, and its end for the rest of what it said.
    psql.ended.finally(() => {
      archive.child.kill();
      archive.child.stdout?.destroy();
    }),
    // Without the last word what was begun is rolled back.
    archive.ended.then(() => stdin.write(['', ...last, 'commit;', ''].join('\n'))).finally(() => stdin.end()),
  ]);
  for (const outcome of [replaced, read]) if (outcome.status === 'rejected') throw outcome.reason;
}

async function pathOf(name: ProgramName, find: FindProgram): Promise<string> {
  const path = await find(name);
  if (path === undefined) throw new BackupError(notInstalled(name));
  return path;
}

function start(
  path: string,
  databaseUrl: string | undefined,
  args: readonly string[],
  [input, output]: readonly ['ignore' | 'pipe', 'ignore' | 'pipe'],
): { child: ChildProcess; ended: Promise<void> } {
  const child = spawn(path, args, {
    stdio: [input, output, 'pipe'],
    env: { ...process.env, LC_ALL: 'C', ...(databaseUrl === undefined ? {} : connectionOf(databaseUrl)) },
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < SAID_MOST) said += text;
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new BackupError(`${basename(path)} failed: ${said.trim().split('\n')[0] ?? ''}`));
    });
  });
  ended.catch(() => {});
  return { child, ended };
}

/** A URL as libpq's variables: every user of the machine can read a command line. */
function connectionOf(databaseUrl: string): Record<string, string> {
  const url = new URL(databaseUrl);
  const named: Readonly<Record<string, string>> = {
    sslmode: 'PGSSLMODE',
    sslrootcert: 'PGSSLROOTCERT',
    sslcert: 'PGSSLCERT',
    sslkey: 'PGSSLKEY',
    options: 'PGOPTIONS',
    host: 'PGHOST',
  };
  const connection: Record<string, string> = {};
  const set = (name: string, value: string) => {
    if (value !== '') connection[name] = value;
  };
  set('PGHOST', decodeURIComponent(url.hostname).replace(/^\[|\]$/g, ''));
  set('PGPORT', url.port);
  set('PGUSER', decodeURIComponent(url.username));
  set('PGPASSWORD', decodeURIComponent(url.password));
  set('PGDATABASE', decodeURIComponent(url.pathname.slice(1)));
  for (const [name, value] of url.searchParams) {
    const variable = named[name];
    if (variable !== undefined) set(variable, value);
  }
  return connection;
}
