import type { LogTypeName } from '@symbolon/protocol';
import type { Writer } from '../../../db/database.ts';
import { isUpdated } from '../../../db/rows.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../journal/audit.ts';

interface Deps extends Pick<Core, 'clock' | 'ids'> {
  readonly audit: Audit;
}

interface LogEntry {
  readonly companyId: string;
  readonly serviceId: string;
  readonly type: LogTypeName;
  readonly message: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Missing when the platform acts on its own schedule. */
  readonly actor?: Actor | undefined;
}

/** An entry about work that goes on in steps, with how much was done. */
export interface LoggedCount extends LogEntry {
  readonly id: string;
  readonly metadata: Readonly<Record<string, unknown>> & { readonly count: number };
}

/** The log a company reads about its service: mails, purges, webhooks, configuration. */
export class ServiceLogs {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Adds an entry in the caller's transaction, and one in the company's audit log where an actor is given. `metadata` never holds
   * a secret or a value.
   */
  async write(writer: Writer, entry: LogEntry): Promise<void> {
    await this.#insert(writer, entry, this.#deps.ids.uuid());
  }

  async #insert(writer: Writer, entry: LogEntry, id: string): Promise<void> {
    await writer
      .insertInto('service_logs')
      .values({
        company_id: entry.companyId,
        service_id: entry.serviceId,
        id,
        type: entry.type,
        message: entry.message,
        metadata: JSON.stringify(entry.metadata ?? {}),
        created_at: this.#deps.clock.now(),
      })
      .execute();
    if (entry.actor === undefined) return;
    await this.#deps.audit.record(writer, {
      companyId: entry.companyId,
      actor: entry.actor,
      action: entry.type === 'webhook' ? 'service.webhook' : 'service.config',
      target: entry.serviceId,
      details: { act: entry.message, ...entry.metadata },
    });
  }

  /**
   * Says how much a step did, in its transaction: the first step of a run adds an entry, and those after it raise its count.
   * @param before what the step before gave
   * @param entry.count how many in this step
   */
  async writeCount(
    writer: Writer,
    before: LoggedCount | undefined,
    { count, ...entry }: LogEntry & { readonly count: number },
  ): Promise<LoggedCount> {
    if (before !== undefined) {
      const metadata = { ...before.metadata, count: before.metadata.count + count };
      const raised = writer
        .updateTable('service_logs')
        .set({ metadata: JSON.stringify(metadata) })
        .where('company_id', '=', before.companyId)
        .where('service_id', '=', before.serviceId)
        .where('id', '=', before.id);
      if (await isUpdated(raised)) return { ...before, metadata };
    }
    const metadata = { ...entry.metadata, count };
    const id = this.#deps.ids.uuid();
    await this.#insert(writer, { ...entry, metadata }, id);
    return { ...entry, metadata, id };
  }
}
