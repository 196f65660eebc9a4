import { closeSync, existsSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Config } from '../core/config.ts';
import { ConfigError } from '../core/config-error.ts';
import { hasKeys, KEY_FILE } from '../core/key-ring.ts';
import { networkFileSystem } from '../core/network-file-system.ts';
import { DATABASE_FILE, databasePath } from './database-path.ts';
import { openToPeek } from './peek.ts';

const SQLITE_BUSY = 5;
const NO_DATABASE = 26;
/** Folders beside the database that have something once people use the platform. */
const FILLED_LATER = new Set(['blobs', 'outbox']);

/**
 * Takes the data folder of an embedded database for one serving process, and sees to it that the folder has its database before it has a key:
 * what a first start leaves when it is ended can be started again, and a folder that lost its database cannot.
 * @returns what gives it back
 * @throws {ConfigError} as `lockFolder`, and where a platform has been whose database is not there
 */
export function takeFolder(folder: Folder): () => void {
  const { dataDir } = folder;
  const unlock = lockFolder(dataDir);
  try {
    checkFolder(folder);
    closeSync(openSync(databasePath(dataDir), 'a', 0o600));
    return unlock;
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Whether a process with this configuration keeps an embedded database. A forwarder by itself has none. */
export const keepsDatabase = ({ databaseUrl, roles }: Pick<Config, 'databaseUrl' | 'roles'>): boolean =>
  databaseUrl === undefined && (['region', 'worker', 'front-door'] as const).some((role) => roles.has(role));

/** What a configuration says of the folder of an embedded database. */
type Folder = Pick<Config, 'dataDir' | 'secret'>;

/**
 * Whether the folder has all that it had, and lies where a database may.
 * @throws {ConfigError} where a platform has been whose database or secret is not there, and on a network file system
 */
export function checkFolder(folder: Folder): void {
  const { dataDir } = folder;
  if (!existsSync(dataDir)) return;
  assertLocal(dataDir, networkFileSystem);
  assertUnused(dataDir);
  if (existsSync(databasePath(dataDir)) && !hasKeys(folder) && needsSecret(databasePath(dataDir)))
    throw new ConfigError(
      `The database in ${dataDir} was written with a secret that is not there: ${KEY_FILE} is missing. Copy it from where the platform was, or set SYMBOLON_SECRET; a backup does not hold it. A new one would open nothing.`,
    );
}

/** Whether something in the database needs the secret. */
function needsSecret(path: string): boolean {
  const database = openToPeek(path);
  try {
    return (
      database.prepare("select 1 from region_settings where name like 'keys.check.%'").get() !== undefined
    );
  } catch (error) {
    // It was prepared and has no tables yet, or is no database: the start says so. What cannot be read now may need its secret.
    const { errcode, message } = error as { errcode?: number; message: string };
    if (errcode === NO_DATABASE || /^no such table/.test(message)) return false;
    throw error;
  } finally {
    database.close();
  }
}

/**
 * A key, a log, files, mails, or a database under another name: there was a platform. An empty one in its place would take its people for
 * unknown. A start that was ended early leaves an empty database with its journal, and a key, and never more.
 */
function assertUnused(dataDir: string): void {
  const path = databasePath(dataDir);
  const isThere = existsSync(path);
  if (isThere && (statSync(path).size > 0 || existsSync(`${path}-wal`))) return;
  const left = readdirSync(dataDir).filter(
    (name) =>
      (!isThere && (name === KEY_FILE || name.startsWith(DATABASE_FILE))) ||
      name.startsWith(`${DATABASE_FILE}.`) ||
      (FILLED_LATER.has(name) && readdirSync(join(dataDir, name)).length > 0),
  );
  if (left.length === 0) return;
  throw new ConfigError(
    `The data folder ${dataDir} has ${isThere ? 'an empty' : 'no'} ${DATABASE_FILE}, but it has ${left.join(', ')}: a platform was here, and its database is gone. Mount or copy the right folder, put a backup in its place with symbolon admin restore, or set DATABASE_URL if the database is a PostgreSQL. To begin without data, choose an empty folder with --data or SYMBOLON_DATA_DIR.`,
  );
}

/**
 * Keeps the data folder of an embedded database to one serving process: two would each believe that they alone write. The
 * operating system releases the lock when the process ends, however it does. Backups and `symbolon admin` do not take it.
 * @returns what releases it
 * @throws {ConfigError} when another process has it, or where locks are no locks
 */
export function lockFolder(dataDir: string, kindOf = networkFileSystem): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  assertLocal(dataDir, kindOf);
  const path = join(dataDir, 'symbolon.lock');
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // Held as long as this transaction is open; nothing is ever written.
    database.exec('begin exclusive');
  } catch (error) {
    database.close();
    const { errcode } = error as { errcode?: number };
    if (((errcode ?? 0) & 0xff) !== SQLITE_BUSY) throw error;
    throw new ConfigError(
      `The data folder ${dataDir} is in use by another process. Stop it, or choose another folder with --data or SYMBOLON_DATA_DIR.`,
    );
  }
  return () => database.close();
}

function assertLocal(dataDir: string, kindOf: typeof networkFileSystem): void {
  const network = kindOf(dataDir);
  if (network !== undefined) {
    throw new ConfigError(
      `The data folder ${dataDir} is on a network file system (${network}), whose locks and syncs an embedded database cannot rely on. Choose a folder on a disk of this machine, or set DATABASE_URL.`,
    );
  }
}
