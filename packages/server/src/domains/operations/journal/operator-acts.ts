import type { AuditAction, OperatorAct } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { Database, Writer } from '../../../db/database.ts';
import type { Paging } from '../../../db/page.ts';
import type { Core } from '../../domain.ts';
import { countOf } from '../row-counts/store.ts';
import type { Actor, Audit } from './audit.ts';

interface Deps extends Pick<Core, 'clock' | 'ids'> {
  readonly audit: Audit;
}

/** The log of everything operators do to the region. */
export class OperatorActs {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Records an act in the caller's transaction: it is done and recorded, or neither. `details` never holds a secret.
   * @param entry.act `<thing>.<what happened>`, such as `company.level_changed`
   * @param entry.actor set for an act that is also recorded in the audit log of the company that is its subject
   */
  async record(
    writer: Writer,
    entry: {
      details?: Readonly<Record<string, unknown>>;
      /** The address it came from. */
      source: string;
    } & (
      | { act: string; subject?: string; actor?: never }
      | { act: AuditAction; subject: string; actor: Actor }
    ),
  ): Promise<void> {
    const { act, subject, details = {}, source } = entry;
    const row = { act, subject: subject ?? null, details: JSON.stringify(details), source };
    await writer
      .insertInto('operator_acts')
      .values({ id: this.#deps.ids.uuid(), ...row, at: this.#deps.clock.now() })
      .execute();
    if (entry.actor !== undefined) {
      const { act: action, actor, subject: companyId } = entry;
      await this.#deps.audit.record(writer, { companyId, actor, action, target: companyId, details });
    }
  }

  /** The newest first. */
  async page({ engine, reader }: Database, page: Paging): Promise<{ total: number; items: OperatorAct[] }> {
    const total = await countOf(engine, reader, 'operator_acts');
    const acts = reader.selectFrom('operator_acts').selectAll().orderBy('id', 'desc');
    const rows = await acts.limit(page.limit).offset(page.offset).execute();
    const items = rows.map(({ details, at, ...row }) => ({
      ...row,
      details: JSON.parse(details) as Record<string, unknown>,
      at: isoTime(at),
    }));
    return { total, items };
  }
}
