import type { LogTypeName } from '@symbolon/protocol';
import type { Clock } from '../../../core/clock.ts';
import type { Ids } from '../../../core/ids.ts';
import type { Writer } from '../../../db/database.ts';

interface Deps {
  readonly clock: Clock;
  readonly ids: Ids;
}

/** The log a company reads about its service: mails, purges, webhooks, configuration. */
export class ServiceLogs {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Adds an entry in the caller's transaction. `metadata` never holds a secret or a value. */
  async write(
    writer: Writer,
    entry: {
      companyId: string;
      serviceId: string;
      type: LogTypeName;
      message: string;
      metadata?: Readonly<Record<string, unknown>>;
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
  }
}
