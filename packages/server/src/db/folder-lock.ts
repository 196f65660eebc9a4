import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ConfigError } from '../core/config-error.ts';
import { networkFileSystem } from '../core/network-file-system.ts';

const SQLITE_BUSY = 5;

/**
 * Keeps the data folder of an embedded database to one serving process: two would each believe that they alone write. The
 * operating system releases the lock when the process ends, however it does. Backups and `symbolon admin` do not take it.
 * @returns what releases it
 * @throws {ConfigError} when another process has it, or where locks are no locks
 */
export function lockFolder(dataDir: string, kindOf = networkFileSystem): () => void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const network = kindOf(dataDir);
  if (network !== undefined) {
    throw new ConfigError(
      `The data folder ${dataDir} is on a network file system (${network}), whose locks and syncs an embedded database cannot rely on. Choose a folder on a disk of this machine, or set DATABASE_URL.`,
    );
  }
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
