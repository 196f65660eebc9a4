import { LogType, limits } from '@symbolon/protocol';
import { type Clock, isoTime } from '../../../core/clock.ts';
import type { Database, Writer } from '../../../db/database.ts';
import type { ServiceLogs } from '../../operations/service-log/logs.ts';
import { changesBefore, deleteChanges } from './store.ts';

/** Rows a transaction deletes: SQLite has one writer, and others wait for it. */
const BATCH = 5_000;

/**
 * Deletes events that nobody drained for seven days, and tells the company so in the log of the service (wire 6.2, 8). An
 * account feed has no log: what it told of is read again by its customer's own routes.
 */
export class ChangePurge {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #logs: ServiceLogs;
  readonly #batch: number;

  constructor(deps: { database: Database; clock: Clock; logs: ServiceLogs; batch?: number }) {
    this.#database = deps.database;
    this.#clock = deps.clock;
    this.#logs = deps.logs;
    this.#batch = deps.batch ?? BATCH;
  }

  /** Purges batch by batch until nothing is left that is too old, or until told to stop. Gives how many rows went. */
  async run(stopping?: AbortSignal): Promise<number> {
    const before = this.#clock.now() - limits.changeRetentionMs;
    let total = 0;
    for (;;) {
      const count = await this.#database.write((writer) => this.#purgeBatch(writer, before));
      total += count;
      if (count < this.#batch || stopping?.aborted) return total;
    }
  }

  async #purgeBatch(writer: Writer, before: number): Promise<number> {
    const { engine } = this.#database;
    const rows = await changesBefore(engine, writer, before, this.#batch);
    if (rows.length === 0) return 0;
    await deleteChanges(
      engine,
      writer,
      rows.map((row) => row.seq),
    );
    for (const [feed, ofService] of Map.groupBy(rows, (row) => row.feed)) {
      const [oldest] = ofService;
      if (oldest === undefined || oldest.service_id !== feed) continue;
      await this.#logs.write(writer, {
        companyId: oldest.company_id,
        serviceId: feed,
        type: LogType.purge,
        message: 'Undrained events were deleted from the change feed',
        metadata: { channel: 'pull', count: ofService.length, oldest: isoTime(oldest.at) },
      });
    }
    return rows.length;
  }
}
