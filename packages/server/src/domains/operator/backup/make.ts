import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { SQLITE_CORRUPT } from '../../../db/engine-errors.ts';
import { BackupError } from './format.ts';
import type { FindProgram } from './postgres-programs.ts';

/** A copy of a database, as it was at one moment. */
export interface DatabaseCopy {
  readonly tables: Readonly<Record<string, number>>;
  /** What the rows of that moment name. */
  readonly blobs: readonly { readonly key: string; readonly hash: string; readonly size: number }[];
}

/**
 * Checks the embedded database and copies it into a new file, while it is in use.
 * @throws {BackupError} it is damaged; its cause is the error that SQLite has for that
 */
export async function copySqlite(source: string, target: string): Promise<DatabaseCopy> {
  const worker = new Worker(new URL('./copy-sqlite.ts', import.meta.url), { workerData: { source, target } });
  return new Promise((resolve, reject) => {
    worker.once('message', (made: DatabaseCopy | { damage: string }) => {
      if ('damage' in made) reject(new BackupError(DAMAGED, { cause: damaged(made.damage) }));
      else resolve(made);
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The copying thread ended without a word.')));
  });
}

const DAMAGED = 'The database is damaged: stop the platform and restore the last good backup.';

const damaged = (text: string) =>
  Object.assign(new Error(text), { code: 'ERR_SQLITE_ERROR', errcode: SQLITE_CORRUPT });

/** Copies a PostgreSQL database. Its driver is loaded only here, so that a process with an embedded database starts sooner. */
export async function copyPostgres(url: string, target: string, find: FindProgram): Promise<DatabaseCopy> {
  return (await import('./copy-postgres.ts')).copyPostgres(url, target, find);
}

/** How long a file is, and its SHA-256. */
export async function measure(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return { bytes: (await stat(path)).size, sha256: hash.digest('hex') };
}
