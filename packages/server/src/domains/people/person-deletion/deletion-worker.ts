import type { UniqueNames } from '../../../access/unique-names.ts';
import { PlatformError } from '../../../core/errors.ts';
import { SignalledWorker } from '../../../core/signalled-worker.ts';
import type { Database } from '../../../db/database.ts';
import { outageOf } from '../../../db/engine-errors.ts';
import { isWritesPaused } from '../../../db/paused-writes.ts';
import { deleteChunk } from '../../../db/table-registry.ts';
import { WriteSteps } from '../../../db/write-steps.ts';
import type { Core } from '../../domain.ts';
import type { Endings } from '../../participation.ts';
import { DELETIONS_CHANNEL } from './person-deletion.ts';
import { deletedTables, deletePerson, dueDeletions, forgetAddress, forgetProfile, putOff } from './store.ts';
import type { PersonDeletionRow } from './tables.ts';

/** Signals may be lost. */
const SCAN_MS = 5_000;
const AT_ONCE = 100;
/** Something could not be ended yet. */
const RETRY_MS = 5_000;
/** A request that began before the deletion has ended by then: what it wrote is deleted. */
const SECOND_PASS_MS = 60_000;
const HOUR_MS = 60 * 60_000;
/** So long a company may be on its way to this region with a connection of the person. */
const TAIL_MS = 24 * HOUR_MS;

interface Deps extends Pick<Core, 'availability' | 'clock' | 'log' | 'tables' | 'timers'> {
  /** Writes wait while saving is paused. */
  readonly database: Database;
  readonly names: UniqueNames;
  readonly endings: Endings;
}

/**
 * Deletes what a region has of people who deleted their accounts, in short steps that any process repeats: a kill leaves whole
 * steps, and a step that was done before finds nothing. What others see ends first. The person's row goes last, a day later, when
 * a pass found nothing: until then each pass also ends what came late.
 */
export class DeletionWorker extends SignalledWorker {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    super({ ...deps, name: 'deletion of people', pauseMs: SCAN_MS, channel: DELETIONS_CHANNEL });
    this.#deps = deps;
  }

  /** @returns whether more may be due: each pass puts its deletion off */
  protected async work(): Promise<boolean> {
    const { clock, database } = this.#deps;
    const due = await dueDeletions(database.reader, clock.now(), AT_ONCE);
    for (const row of due) {
      if (this.isStopping) return false;
      await this.#pass(row);
    }
    return due.length === AT_ONCE;
  }

  async #pass({ person_id: personId, email, deleted_at: deletedAt }: PersonDeletionRow): Promise<void> {
    const { clock, database, log, names } = this.#deps;
    const bonds = await this.#endBonds(personId);
    if (this.isStopping) return;
    if (bonds.left) return database.write((writer) => putOff(writer, personId, clock.now() + RETRY_MS));
    const rows = await this.#deleteRows(personId);
    if (rows === undefined) return;
    if (email !== null) {
      const released = await this.#attempt(personId, () =>
        names.release({ kind: 'person', id: personId }, [{ kind: 'person_email', name: email }]),
      );
      if (!released) return database.write((writer) => putOff(writer, personId, clock.now() + RETRY_MS));
    }
    const now = clock.now();
    const isLast = bonds.ended === 0 && rows === 0 && email === null && now >= deletedAt + TAIL_MS;
    await database.write(async (writer) => {
      if (isLast) return deletePerson(writer, personId);
      await forgetAddress(writer, personId);
      await forgetProfile(writer, personId);
      await putOff(writer, personId, Math.max(deletedAt + SECOND_PASS_MS, now + nextAfter(now - deletedAt)));
    });
    if (isLast) log.info({ person: personId }, 'person deleted');
  }

  /** Ends what binds the person to others. `left`: something could not be ended yet; what stands behind it was. */
  async #endBonds(personId: string): Promise<{ ended: number; left: boolean }> {
    let [ended, left] = [0, false];
    for (const hook of this.#deps.endings.person) {
      for (const id of await hook.bonds(personId)) {
        if (this.isStopping) return { ended, left: true };
        if (await this.#attempt(personId, () => hook.end(personId, id))) ended++;
        else left = true;
      }
    }
    return { ended, left };
  }

  /** False when it is to be tried again. Outages end the pass: the next scan begins it from the start. */
  async #attempt(personId: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (outageOf(error) !== undefined) throw error;
      if (error instanceof PlatformError) {
        // Another process, or the service, has ended it.
        if (error.status === 404) return true;
        if (isWritesPaused(error) || error.status >= 500) return false;
      }
      this.#deps.log.error({ err: error, person: personId }, 'a step of the deletion of a person failed');
      return false;
    }
  }

  /** Deletes the rows of all tables, in short steps. @returns how many; undefined when the process is stopping */
  async #deleteRows(personId: string): Promise<number | undefined> {
    const { database, tables } = this.#deps;
    const steps = new WriteSteps(this.#deps);
    let total = 0;
    for (const dependent of deletedTables(tables)) {
      for (let more = true; more; ) {
        if (this.isStopping) return undefined;
        const { rows, most } = await steps.take(async (writer, most) => ({
          rows: await deleteChunk(database.engine, writer, dependent, personId, most),
          most,
        }));
        total += rows;
        more = rows >= most;
      }
    }
    return total;
  }
}

/** How long after a pass the next one is. */
const nextAfter = (ageMs: number) => (ageMs < SECOND_PASS_MS ? 0 : HOUR_MS);
