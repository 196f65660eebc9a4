import { dayOf } from '../../../core/clock.ts';
import { lock } from '../../../db/database.ts';
import { isWritesPaused } from '../../../db/paused-writes.ts';
import { WriteSteps } from '../../../db/write-steps.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Core } from '../../domain.ts';
import { raiseStatusChanges } from '../documents/document-events.ts';
import { type ListedDocument, updateDocument } from '../documents/store.ts';
import { type DueDocument, dueDocuments, stillDue } from './store.ts';

/** Companies that are passed over because they are moving; when more cannot be written to, moves are not the reason. */
const PASSED_MOST = 5;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'timers'> {
  readonly outbox: Outbox;
  readonly personSignals: PersonSignals;
}

/** Ends cancelled contracts on their day (wire 11.4). */
export class Endings {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Ends them in short steps until none is left whose day has come, or until it is stopped. Gives how many ended. */
  async run(stopping?: AbortSignal): Promise<number> {
    const today = dayOf(this.#deps.clock.now());
    const steps = new WriteSteps(this.#deps);
    const passed: string[] = [];
    for (let total = 0; ; ) {
      const due = await dueDocuments(this.#deps.database.reader, today, steps.rows, passed);
      if (due.length === 0) return total;
      for (const [serviceId, ofService] of Map.groupBy(due, (document) => document.service_id)) {
        if (stopping?.aborted) return total;
        const [{ company_id = '' } = {}] = ofService;
        if (passed.includes(company_id)) continue;
        try {
          total += await this.#end(steps, serviceId, ofService, today);
        } catch (error) {
          if (!isWritesPaused(error) || passed.length === PASSED_MOST) throw error;
          // A company is frozen while it moves: the next sweep comes to it.
          passed.push(company_id);
        }
      }
    }
  }

  async #end(
    steps: WriteSteps,
    serviceId: string,
    due: readonly DueDocument[],
    today: string,
  ): Promise<number> {
    const { clock, database, personSignals } = this.#deps;
    const { ended } = await steps.take(async (writer) => {
      await lock(database.engine, writer, 'services', [serviceId]);
      // Another process may have ended some, and the company may have set another status.
      const documents = await stillDue(writer, today, due);
      const change = { status: 'ended', updated_at: clock.now() } as const;
      const ended: ListedDocument[] = [];
      for (const document of documents) {
        await updateDocument(writer, document, change);
        ended.push({ ...document, ...change });
      }
      // A company that deleted a document hears of it no more.
      const told = ended.filter(({ deleted_at }) => deleted_at === null);
      await raiseStatusChanges(
        this.#deps,
        writer,
        told.map((document) => ({ document })),
      );
      return { rows: ended.length, ended };
    });
    for (const { id, customer_id, customer_type, customer_region, dropped_at } of ended)
      if (customer_id !== null && customer_type === 'person' && dropped_at === null)
        personSignals.tell(customer_id, { kind: 'document', id }, customer_region);
    return ended.length;
  }
}
