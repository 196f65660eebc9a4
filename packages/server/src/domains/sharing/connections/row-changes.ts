import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Job, JobKind, Jobs, Step } from '../../operations/index.ts';
import { listedService, type PublishedRows, settleTurned, turnedOneTime } from '../../services/index.ts';
import type { SlotHome } from './slot-home.ts';
import { deleteAnswers, snapshotAnswers } from './slot-store.ts';
import { connectionIdsAfter } from './store.ts';

interface State {
  /** The rows whose answers go. */
  readonly removed: readonly string[];
  /** The rows whose live answers become snapshots. */
  readonly turned: readonly string[];
  /** The last connection that is done. */
  readonly after: string;
}

interface Deps extends Pick<Core, 'clock' | 'database'> {
  readonly jobs: Jobs;
  readonly slotHome: Pick<SlotHome, 'rowsChanging' | 'answersEnding'>;
}

/**
 * What becomes of the answers when a publish removes rows or makes them one-time. It is so for all readers as soon as the
 * publish is stored: they go by the request rows. The stored answers follow connection by connection.
 */
export class RowChanges implements JobKind<State> {
  readonly name = 'request_fields';
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.jobs.register(this);
  }

  /** @throws {PlatformError} service.busy */
  async published(
    writer: Writer,
    ref: { companyId: string; serviceId: string },
    rows: PublishedRows,
  ): Promise<void> {
    await this.#deps.slotHome.rowsChanging(writer, ref.companyId, rows);
    const removed = rows.removed.map(({ id }) => id);
    const turned = turnedOneTime(rows).map(({ id }) => id);
    const changed = removed.length + turned.length;
    if (changed === 0 || rows.connections === 0) return;
    const state: State = { removed, turned, after: '' };
    await this.#deps.jobs.add(writer, { ...ref, kind: this.name, state, total: rows.connections });
  }

  async step(writer: Writer, job: Job<State>, most: number): Promise<Step<State>> {
    const { engine } = this.#deps.database;
    const { removed, turned, after } = job.state;
    const changed = [...removed, ...turned];
    // The deletion of a service takes all its answers along.
    if ((await listedService(writer, job.serviceId)) === undefined)
      return { state: job.state, done: 0, finished: true };
    const group = Math.ceil(most / changed.length);
    const ids = await connectionIdsAfter(writer, job, { after, most: group });
    const slots = (rowIds: readonly string[]) => ({ companyId: job.companyId, connectionIds: ids, rowIds });
    await this.#deps.slotHome.answersEnding(writer, slots(changed));
    await deleteAnswers(engine, writer, slots(removed));
    await snapshotAnswers(engine, writer, slots(turned), this.#deps.clock.now());
    const finished = ids.length < group;
    if (finished) await settleTurned(writer, job, turned);
    return {
      state: { removed, turned, after: ids.at(-1) ?? after },
      done: ids.length,
      rows: ids.length * changed.length,
      finished,
    };
  }
}
