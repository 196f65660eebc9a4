import { LogType, limits } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { isWritesPaused } from '../../../db/paused-writes.ts';
import { WriteSteps } from '../../../db/write-steps.ts';
import type { Core } from '../../domain.ts';
import type { LoggedCount, ServiceLogs } from '../../operations/index.ts';
import { changesBefore, deleteChanges, type OldChange } from './store.ts';

/** Companies that are passed over because they are moving; when more cannot be written to, moves are not the reason. */
const PASSED_MOST = 5;

interface Deps extends Pick<Core, 'clock' | 'database' | 'timers'> {
  readonly logs: ServiceLogs;
}

/**
 * Deletes events that were not drained for seven days, and says so in the log of the service (wire 6.2, 8). An
 * account feed has no log: its customer reads the same state by its own routes.
 */
export class ChangePurge {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Purges in short steps until nothing is left that is too old, or until it is stopped. Gives how many rows went. */
  async run(stopping?: AbortSignal): Promise<number> {
    const before = this.#deps.clock.now() - limits.changeRetentionMs;
    const run = { steps: new WriteSteps(this.#deps), logged: new Map<string, LoggedCount>() };
    const passed: string[] = [];
    for (let total = 0; ; ) {
      const rows = await changesBefore(this.#deps.database.reader, before, run.steps.rows, passed);
      if (rows.length === 0) return total;
      try {
        total += await this.#purge(rows, run);
      } catch (error) {
        if (!isWritesPaused(error)) throw error;
        // A company is frozen while it moves: the next sweep comes to it, and this one goes on with the others.
        for (const [companyId, own] of Map.groupBy(rows, (row) => row.company_id)) {
          try {
            total += await this.#purge(own, run);
          } catch (refused) {
            if (!isWritesPaused(refused) || passed.length === PASSED_MOST) throw refused;
            passed.push(companyId);
          }
        }
      }
      if (stopping?.aborted) return total;
    }
  }

  async #purge(
    rows: readonly OldChange[],
    { steps, logged }: { steps: WriteSteps; logged: Map<string, LoggedCount> },
  ): Promise<number> {
    const { gone, entries } = await steps.take(async (writer) => {
      // Another process may be purging, too: what this one deletes is what it counts.
      const seqs = rows.map((row) => row.seq);
      const gone = await deleteChanges(this.#deps.database.engine, writer, seqs);
      const entries: LoggedCount[] = [];
      for (const [feedId, ofFeed] of Map.groupBy(gone, (row) => row.feed)) {
        const [first] = ofFeed;
        if (first === undefined || first.service_id !== feedId) continue;
        const before = logged.get(feedId);
        const oldest = isoTime(Math.min(...ofFeed.map((row) => row.at)));
        entries.push(
          await this.#deps.logs.writeCount(writer, before, {
            companyId: first.company_id,
            serviceId: feedId,
            type: LogType.purge,
            message: 'Undrained events were deleted from the change feed',
            metadata: { channel: 'pull', oldest: before?.metadata.oldest ?? oldest },
            count: ofFeed.length,
          }),
        );
      }
      return { rows: gone.length, gone, entries };
    });
    for (const entry of entries) logged.set(entry.serviceId, entry);
    return gone.length;
  }
}
