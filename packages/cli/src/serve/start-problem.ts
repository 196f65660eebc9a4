import type { Config } from '@symbolon/server';
import { Problem } from '../problem.ts';

/** What keeps a platform from starting, said with what to do; anything unknown is given back as it is. */
export function startProblem(error: unknown, config: Config): unknown {
  const { code, errcode, syscall } = error as {
    code?: string;
    errcode?: number;
    syscall?: string;
  };
  const problem = (text: string) => new Problem(text, { cause: error });
  const at = `${config.host}:${config.port}`;
  if (syscall === 'listen' || code === 'EADDRINUSE') {
    switch (code) {
      case 'EADDRINUSE':
        return problem(
          `Port ${config.port} is in use. Stop what listens on ${at}, or choose another port: --port or SYMBOLON_PORT.`,
        );
      case 'EACCES':
        return problem(
          `The system does not allow listening on ${at}. Choose a port above 1023: --port or SYMBOLON_PORT.`,
        );
      case 'EADDRNOTAVAIL':
        return problem(
          `This machine has no address ${config.host}. Set --host or SYMBOLON_HOST to one it has.`,
        );
    }
  }
  if (syscall === 'getaddrinfo' && config.databaseUrl === undefined) {
    return problem(`The host ${config.host} is not known. Set --host or SYMBOLON_HOST to an address.`);
  }
  if (config.databaseUrl !== undefined) {
    const { host } = new URL(config.databaseUrl);
    const reason = databaseReason(error);
    if (reason !== undefined) return problem(`PostgreSQL at ${host} ${reason} Check DATABASE_URL.`);
  }
  if (code === 'ERR_SQLITE_ERROR') {
    const reason = SQLITE_REASONS[(errcode ?? 0) & 0xff] ?? 'cannot be opened.';
    return problem(`The database in ${config.dataDir} ${reason}`);
  }
  if (code !== undefined && DATA_CODES.has(code)) {
    return problem(
      `The data folder ${config.dataDir} cannot be written (${code}). Set --data or SYMBOLON_DATA_DIR.`,
    );
  }
  return error;
}

/** Of a database URL nothing but the host is ever shown: it may hold a password. */
function databaseReason(error: unknown): string | undefined {
  const { code } = error as { code?: string };
  switch (code) {
    case 'ECONNREFUSED':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ECONNRESET':
    case 'ENOENT':
      return 'does not answer.';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'is not known by that name.';
    case '53300':
      return 'has no free connection: raise max_connections, or stop other programs that use it.';
    case '28P01':
    case '28000':
      return 'refuses the user or the password.';
    case '3D000':
      return 'has no such database.';
    case '42501':
      return 'does not let this user make tables.';
  }
  return error instanceof Error && /timeout|terminated/i.test(error.message) ? 'does not answer.' : undefined;
}

const SQLITE_REASONS: Readonly<Record<number, string>> = {
  5: 'is locked by another process: stop it, or choose another folder with --data.',
  8: 'is read-only: check its permissions.',
  11: 'is damaged: restore a backup.',
  13: 'is on a full disk.',
  14: 'cannot be opened: check the permissions of the folder.',
  26: 'is not a database: choose another folder with --data.',
};
const DATA_CODES = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST']);
