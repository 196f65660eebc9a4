import { randomBytes } from 'node:crypto';
import type { Need } from '../core/availability.ts';
import { PlatformError } from '../core/errors.ts';
import { tryFolder } from '../core/try-folder.ts';
import type { Database, Writer } from './database.ts';
import { type OutageKind, outageOf } from './engine-errors.ts';
import { LogLost } from './log-sync.ts';
import { writesPaused } from './paused-writes.ts';

const REASONS: Readonly<Record<Exclude<OutageKind, 'busy'>, string>> = {
  full: 'its disk is full, nothing can be saved',
  read_only: 'it takes no writes, its disk is read-only',
  io: 'its disk fails',
  damaged: 'it is damaged, nothing is saved until a backup is restored',
  away: 'it does not answer',
};

/** Why nothing can be saved; undefined for an error that is no outage. Rows locked by another transaction are no outage. */
export function savingReason(error: unknown): string | undefined {
  // Of the platform's own errors only those of the database: a region that is away has the same cause beneath.
  const isOurs = error instanceof PlatformError;
  if (isOurs && !error.key.startsWith('db.')) return undefined;
  const kind = outageOf(isOurs ? error.cause : error);
  return kind === undefined || kind === 'busy' ? undefined : REASONS[kind];
}

/**
 * Whether nothing more may be saved until the process starts again: a damaged database gives way to a backup, and what was saved goes with
 * it; and after a log that the disk did not take, it is unknown what is saved.
 */
export function isLasting(error: unknown): boolean {
  const cause = error instanceof PlatformError ? error.cause : error;
  return cause instanceof LogLost || outageOf(cause) === 'damaged';
}

/**
 * The database, with an eye on its writes: one that fails for an outage tells `saving`. After a lasting one nothing more is saved.
 */
export function watchSaving(database: Database, saving: Need): Database {
  return {
    ...database,
    async write(work) {
      if (saving.lasting !== undefined) throw writesPaused(saving.lasting);
      try {
        return await database.write(work);
      } catch (error) {
        saving.failed(error);
        throw error;
      }
    },
  };
}

/** The setting that is written to see whether anything can be. */
const SETTING = 'health.probe';

/** What real writes need beside the row itself, in characters that do not compress: several new pages. */
const ROOM = 64 * 1024;

/**
 * Tries whether something can be saved: a row, and with an embedded database a file beside it, synced to the disk.
 *
 * @param options.folder of the embedded database
 * @param options.wasAway whether writes have failed: then the row is a large one for a moment, because a full disk of
 *   PostgreSQL still takes small ones
 */
export async function trySaving(
  database: Database,
  { folder, wasAway, now }: { folder: string | undefined; wasAway: boolean; now: number },
): Promise<void> {
  // A full disk may still take a small row, where the log of the database has room.
  if (folder !== undefined) await tryFolder(folder);
  const save = (writer: Writer, value: string) =>
    writer
      .insertInto('region_settings')
      .values({ name: SETTING, value, updated_at: now })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updated_at: now }))
      .execute();
  await database.write(async (writer) => {
    if (folder === undefined && wasAway) await save(writer, randomBytes(ROOM / 2).toString('hex'));
    await save(writer, '0');
  });
}
