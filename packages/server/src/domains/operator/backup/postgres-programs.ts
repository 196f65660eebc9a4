import { spawn } from 'node:child_process';
import { access, constants, readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { BackupError } from './format.ts';

type ProgramName = 'pg_dump' | 'pg_restore';
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
  const program = await find(name);
  if (program === undefined) {
    throw new BackupError(`${name} is not installed here. Install PostgreSQL's client programs.`);
  }
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, LC_ALL: 'C', ...(databaseUrl === undefined ? {} : connectionOf(databaseUrl)) },
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < SAID_MOST) said += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new BackupError(`${name} failed: ${said.trim().split('\n')[0] ?? ''}`);
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
