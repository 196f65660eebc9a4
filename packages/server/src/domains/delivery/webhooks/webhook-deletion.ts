import { type Database, serialize, type Writer } from '../../../db/database.ts';
import { deleteLeft, type Leftovers } from '../../../db/series.ts';
import { deleteRow } from '../../../db/table-registry.ts';
import { CONFIGURATION_MARK } from '../../../events/webhook-signals.ts';
import type { Core } from '../../domain.ts';
import type { Job, JobKind, Jobs, Step } from '../../operations/index.ts';
import type { ServiceRef } from '../../services/index.ts';
import { WEBHOOK_CHANNEL } from './signals.ts';

/** Backlogs of up to so many rows are deleted with the webhook, in one transaction. */
const AT_ONCE = 100;

interface Deps extends Pick<Core, 'tables'> {
  readonly database: Database;
  readonly jobs: Jobs;
}

/** Deletes webhooks. A job takes away a long backlog. */
export class WebhookDeletions implements JobKind<Leftovers> {
  readonly name = 'webhook_deletion';
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
    deps.jobs.register(this);
  }

  /** Call it last but for records, in a transaction that holds the service's lock. */
  async delete(writer: Writer, { companyId, serviceId }: ServiceRef, id: string): Promise<void> {
    const { database, jobs, tables } = this.#deps;
    const left = await deleteRow(writer, tables, { table: 'webhooks', id, companyId });
    // Writers that still saw the webhook have queued their event by now; later writers do not see it.
    await serialize(database.engine, writer, [serviceId]);
    let state: Leftovers = { left, after: null };
    let finished = false;
    for (let most = AT_ONCE; !finished && most > 0; ) {
      const done = await deleteLeft(database.engine, writer, tables, { ...state, companyId }, most);
      ({ next: state, finished } = done);
      most -= done.rows;
    }
    if (!finished) await jobs.add(writer, { kind: this.name, companyId, serviceId, state, total: null });
    await database.notify(writer, WEBHOOK_CHANNEL, `${id}${CONFIGURATION_MARK}`);
  }

  async step(writer: Writer, job: Job<Leftovers>, most: number): Promise<Step<Leftovers>> {
    const { database, tables } = this.#deps;
    const all = { ...job.state, companyId: job.companyId };
    const { rows, next, finished } = await deleteLeft(database.engine, writer, tables, all, most);
    return { state: next, done: rows, finished };
  }
}
