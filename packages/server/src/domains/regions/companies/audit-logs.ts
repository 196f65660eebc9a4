import type { Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Audit, AuditLogRow, AuditLogs } from '../../operations/index.ts';
import type { RegionMessages } from '../messages/index.ts';
import type { CompanyCards } from './cards.ts';

const AUDIT_ENTRY = 'audit_entry';

interface Deps extends Pick<Core, 'regions'> {
  readonly cards: CompanyCards;
  readonly messages: RegionMessages;
}

/**
 * A company's audit log is at its home. What it does as a customer is done, and recorded, where the service is: the entry
 * is sent home in that transaction, so that an act is never without its entry nor an entry without its act.
 */
export class AuditLogsElsewhere implements AuditLogs {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async sendElsewhere(writer: Writer, entry: AuditLogRow): Promise<boolean> {
    const { company_id: companyId } = entry;
    const home =
      (await this.#deps.cards.homesOf(writer, [companyId])).get(companyId) ?? this.#deps.regions.own;
    if (home === this.#deps.regions.own) return false;
    await this.#deps.messages.send(writer, home, { kind: AUDIT_ENTRY, subject: companyId, body: entry });
    return true;
  }

  /** Takes in what other regions send. */
  receive(audit: Audit): void {
    this.#deps.messages.handle(AUDIT_ENTRY, async (writer, { body }) => {
      const entry = body as AuditLogRow;
      const { company_id: id } = entry;
      // Of a company that was deleted meanwhile there is no log.
      if ((await this.#deps.cards.homesOf(writer, [id])).has(id)) await audit.keep(writer, entry);
    });
  }
}
