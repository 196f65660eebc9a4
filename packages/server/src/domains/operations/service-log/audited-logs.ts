import type { Clock } from '../../../core/clock.ts';
import type { Ids } from '../../../core/ids.ts';
import type { Writer } from '../../../db/database.ts';
import type { Actor, Audit } from '../journal/audit.ts';
import { ServiceLogs } from './logs.ts';

type Entry = Parameters<ServiceLogs['write']>[1];

interface Deps {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: Audit;
}

/** Service logs whose entries also stand in the company's audit log, where somebody's act made them. */
export class AuditedServiceLogs extends ServiceLogs {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    super(deps);
    this.#deps = deps;
  }

  /** @param entry.actor who acted; what the platform does by itself has none */
  override async write(writer: Writer, entry: Entry & { actor?: Actor | undefined }): Promise<void> {
    await super.write(writer, entry);
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
