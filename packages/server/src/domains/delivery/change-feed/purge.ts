import { LogType, limits } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { ServiceLogs } from '../../operations/index.ts';
import { feeds } from './event-queues.ts';
import { changesBefore } from './store.ts';

/** Rows a transaction deletes: SQLite has one writer, and others wait for it. */
const BATCH = 5_000;

interface Deps extends Pick<Core, 'clock' | 'database'> {
  readonly logs: ServiceLogs;
  readonly batch?: number;
}

/**
 * Deletes events that were not drained for seven days, and says so in the log of the service (wire 6.2, 8). An
 * account feed has no log: what it told of is read again by its customer's own routes.
 */
export class ChangePurge {
  readonly #deps: Deps;
  readonly #batch: number;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#batch = deps.batch ?? BATCH;
  }

  /** Purges batch by batch until nothing is left that is too old, or until told to stop. Gives how many rows went. */
  async run(stopping?: AbortSignal): Promise<number> {
    const before = this.#deps.clock.now() - limits.changeRetentionMs;
    let total = 0;
    for (;;) {
      const count = await this.#deps.database.write((writer) => this.#purgeBatch(writer, before));
      total += count;
      if (count < this.#batch || stopping?.aborted) return total;
    }
  }

  async #purgeBatch(writer: Writer, before: number): Promise<number> {
    const { engine } = this.#deps.database;
    const rows = await changesBefore(engine, writer, before, this.#batch);
    if (rows.length === 0) return 0;
    await feeds.delete(
      engine,
      writer,
      rows.map((row) => row.seq),
    );
    for (const [feedId, ofService] of Map.groupBy(rows, (row) => row.feed)) {
      const [oldest] = ofService;
      if (oldest === undefined || oldest.service_id !== feedId) continue;
      await this.#deps.logs.write(writer, {
        companyId: oldest.company_id,
        serviceId: feedId,
        type: LogType.purge,
        message: 'Undrained events were deleted from the change feed',
        metadata: { channel: 'pull', count: ofService.length, oldest: isoTime(oldest.at) },
      });
    }
    return rows.length;
  }
}
