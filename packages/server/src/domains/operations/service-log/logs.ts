import type { LogTypeName } from '@symbolon/protocol';
import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../journal/index.ts';

interface Deps extends Pick<Core, 'clock' | 'ids'> {
  readonly audit: Audit;
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
   * @param entry.actor missing when the platform acts on its own schedule
   */
  async write(
    writer: Writer,
    entry: {
      companyId: string;
      serviceId: string;
      type: LogTypeName;
      message: string;
      metadata?: Readonly<Record<string, unknown>>;
      actor?: Actor | undefined;
    },
  ): Promise<void> {
    await writer
      .insertInto('service_logs')
      .values({
        company_id: entry.companyId,
        service_id: entry.serviceId,
        id: this.#deps.ids.uuid(),
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
      action: `service.${entry.type}`,
      target: entry.serviceId,
      details: { act: entry.message, ...entry.metadata },
    });
  }
}
