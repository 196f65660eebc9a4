import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Config, checkFolder, keepsDatabase, pingPostgres, readConfig } from '@symbolon/server';
import { lackOfPrograms, lastBackups } from '@symbolon/server/backup';
import { configuredCertificate, daysLeft } from '@symbolon/server/certificate';
import { explain } from '../problem.ts';
import { startProblem } from '../serve/start-problem.ts';
import { type Check, type Finding, failed, ok, skipped } from './check.ts';

export const nodeCheck: Check = { name: 'Node.js', run: async () => nodeVersion(process.versions.node) };

/** What the platform needs of the machine it runs on. */
export function serverChecks(environment: Readonly<Record<string, string | undefined>>): Check[] {
  let config: Config | undefined;
  return [
    {
      name: 'server settings',
      async run() {
        try {
          config = readConfig(environment);
          return ok(`listens on ${config.host}:${config.port}, region ${config.region}`);
        } catch (error) {
          return failed(explain(error).text, 'Set the variable right, or unset it for its default.');
        }
      },
    },
    {
      name: 'data folder',
      run: async () => (config ? dataFolder(config) : skipped('settings first')),
    },
    {
      name: 'database',
      async run() {
        if (config === undefined) return skipped('settings first');
        return config.databaseUrl === undefined
          ? ok('embedded in the data folder')
          : postgres(config, config.databaseUrl);
      },
    },
    { name: 'backups', run: async () => (config ? backups(config) : skipped('settings first')) },
    { name: 'seal', run: async () => (config ? seal(config) : skipped('settings first')) },
  ];
}

function nodeVersion(version: string): Finding {
  return Number.parseInt(version, 10) >= NODE_LEAST
    ? ok(version)
    : failed(`${version} is too old`, `Install Node.js ${NODE_LEAST} or newer.`);
}

function dataFolder(config: Config): Finding {
  const folder = resolve(config.dataDir);
  if (keepsDatabase(config)) {
    try {
      checkFolder(config);
    } catch (error) {
      return failed(explain(error).text, 'Until it is put right the platform does not start.');
    }
  }
  if (!existsSync(folder)) {
    const parent = existingAbove(folder);
    return isWritable(parent)
      ? ok(`${folder} is not there yet; the first start makes it`)
      : failed(
          `${folder} cannot be made in ${parent}`,
          'Set SYMBOLON_DATA_DIR to a folder this user can write.',
        );
  }
  if (!isWritable(folder)) {
    return failed(`${folder} cannot be written`, `Give this user the right to write ${folder}.`);
  }
  if (process.platform === 'win32') return ok(folder);
  const secret = join(folder, 'secret.key');
  for (const [path, rights] of [
    [folder, '700'],
    [secret, '600'],
  ] as const) {
    if (existsSync(path) && (statSync(path).mode & 0o077) !== 0) {
      return failed(`${path} is open to other users of this machine`, `chmod ${rights} ${path}`);
    }
  }
  return ok(`${folder} is writable, by its owner only`);
}

async function postgres(config: Config, databaseUrl: string): Promise<Finding> {
  const { host } = new URL(databaseUrl);
  try {
    const { version, mayCreate } = await pingPostgres(databaseUrl);
    return mayCreate
      ? ok(`PostgreSQL ${version} at ${host}`)
      : failed(
          `PostgreSQL ${version} at ${host} does not let this user make tables`,
          'GRANT CREATE ON SCHEMA public TO the user.',
        );
  } catch (error) {
    const problem = startProblem(error, config);
    return failed(explain(problem).text, 'Start PostgreSQL there, or correct DATABASE_URL.');
  }
}

async function backups(config: Config): Promise<Finding> {
  const url = config.databaseDirectUrl ?? config.databaseUrl;
  if (config.backup.place !== undefined && url !== undefined) {
    const server = await pingPostgres(url).catch(() => undefined);
    const lack = server && (await lackOfPrograms(server.version));
    if (lack) return failed(lack, 'Until then no backup is made: docs/deploying.md has the image.');
  }
  let last: Awaited<ReturnType<typeof lastBackups>>;
  try {
    last = await lastBackups(config);
  } catch {
    return skipped('needs the database');
  }
  if (last === undefined) return skipped('there is nothing to back up yet');
  const hoursSince = (at: number) => Math.max(0, Math.round((Date.now() - at) / 3_600_000));
  const { madeAt, provedAt } = last;
  const newest = madeAt === undefined ? 'none was made' : `the newest is ${hoursSince(madeAt)} h old`;
  if (config.backup.place === undefined) {
    return skipped(`${newest}; SYMBOLON_BACKUP_TO makes them on a schedule`);
  }
  const late = (2 * config.backup.everyMs) / 3_600_000;
  if (provedAt !== undefined && hoursSince(provedAt) <= late) {
    return ok(`the newest that was restored on trial is ${hoursSince(provedAt)} h old`);
  }
  return failed(
    `${newest}; ${provedAt === undefined ? 'none was ever restored on trial' : `the newest that was restored on trial is ${hoursSince(provedAt)} h old`}`,
    'Look for "backup failed" in the log of a worker.',
  );
}

async function seal(config: Config): Promise<Finding> {
  try {
    const certificate = await configuredCertificate(config.seal, Date.now());
    if (certificate === undefined) return skipped('no certificate is configured');
    const left = daysLeft(certificate, Date.now());
    const rest = left < 0 ? 'has expired' : `${left} ${left === 1 ? 'day' : 'days'} left`;
    const detail = `${certificate.name}: ${rest}`;
    return left > DAYS_ENOUGH
      ? ok(detail)
      : failed(detail, 'Get a new certificate, put its file in place, and restart each process.');
  } catch (error) {
    return failed(explain(error).text, 'Until it is put right the platform does not start.');
  }
}

function existingAbove(path: string): string {
  const parent = dirname(path);
  return existsSync(parent) || parent === path ? parent : existingAbove(parent);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const NODE_LEAST = 24;
/** From then on notices go to the operator by mail, too. */
const DAYS_ENOUGH = 30;
