import { buffer } from 'node:stream/consumers';
import type { AdminBackup, BackupState } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import { type BackupPlace, isBackup, MADE, PROOF, PROVED, regionOf } from '../backup/index.ts';

/** The setting with the time at which an operator asked for a backup that has not begun. */
export const ASKED = 'backup.asked_at';
/** The setting with the last attempt of the schedule, where it failed. */
export const FAILED = 'backup.failed';
export interface FailedAttempt {
  readonly at: number;
  readonly reason: string;
}

const SHOWN_MOST = 20;

type Deps = Pick<Core, 'clock' | 'config' | 'settings'> & {
  readonly place: (() => Promise<BackupPlace>) | undefined;
};

/** What an operator sees of backups, and asks of the schedule. */
export class BackupStates {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  state(): BackupState {
    const { config, settings } = this.#deps;
    const { place, everyMs, keep, recipients } = config.backup;
    const proved = settings.get<number>(PROVED);
    const failed = settings.get<FailedAttempt>(FAILED);
    return {
      made_at: timeOf(settings.get<number>(MADE)),
      proved_at: timeOf(proved),
      asked_at: timeOf(settings.get<number>(ASKED)),
      failed: failed === undefined ? null : { at: isoTime(failed.at), reason: failed.reason },
      schedule:
        place === undefined
          ? null
          : {
              every_hours: everyMs / 3_600_000,
              keep,
              encrypted: recipients.length > 0,
              next_at: proved === undefined ? null : isoTime(proved + everyMs),
            },
    };
  }

  /**
   * What the schedule has made, the newest first.
   * @throws {PlatformError} admin.backup_unavailable where its place cannot be read
   */
  async list(): Promise<AdminBackup[]> {
    const { config, place: open } = this.#deps;
    if (open === undefined) return [];
    try {
      const place = await open();
      const names = await place.list(`symbolon-${regionOf(config)}-`);
      const proofs = new Set(names.filter((name) => name.endsWith(PROOF)));
      const newest = names.filter(isBackup).slice(-SHOWN_MOST).reverse();
      return await Promise.all(
        newest.map(async (name) => ({
          name,
          proof: proofs.has(`${name}${PROOF}`) ? await proofIn(place, `${name}${PROOF}`) : null,
        })),
      );
    } catch (error) {
      const text = `The place of the backups cannot be read: ${(error as Error).message}`;
      throw new PlatformError('admin.backup_unavailable', { text, cause: error });
    }
  }

  /** Has the schedule make one as soon as it looks. @throws {PlatformError} admin.backup_unavailable without a schedule */
  async ask(writer: Writer): Promise<void> {
    const { clock, config, settings } = this.#deps;
    if (config.backup.place === undefined) {
      const text = 'There is no schedule of backups: set SYMBOLON_BACKUP_TO, or run symbolon admin backup.';
      throw new PlatformError('admin.backup_unavailable', { text, status: 409 });
    }
    await settings.set(writer, ASKED, clock.now());
  }
}

async function proofIn(place: BackupPlace, name: string): Promise<AdminBackup['proof']> {
  const proof = JSON.parse((await buffer(await place.read(name))).toString());
  const { proved_at, version, rows, blobs, opened } = proof;
  return { proved_at, version, rows, blobs, opened };
}

const timeOf = (at: number | undefined) => (at === undefined ? null : isoTime(at));
