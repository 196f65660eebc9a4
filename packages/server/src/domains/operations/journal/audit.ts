import type { AuditAction, AuditLogPage } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { Database, Writer } from '../../../db/database.ts';
import { inOrderMost } from '../../../db/in-order.ts';
import type { NewestPaging } from '../../../db/page.ts';
import type { Core } from '../../domain.ts';
import { countOf } from '../row-counts/store.ts';
import type { AuditLogRow } from './tables.ts';

/** Who did something: a person of the company in the portal, a machine client, the operator, or the platform itself. */
export interface Actor {
  readonly kind: 'portal' | 'account_client' | 'operator' | 'platform';
  /** The login's or the client's id; empty for the platform. The company's own login has the company's id. */
  readonly id: string;
  /** The login's e-mail address: it may be gone when the log is read. */
  readonly name?: string;
  /** The address the call came from. */
  readonly source?: string;
}

/** What was done to a company's account, by whom, to what. `details` never holds a secret or a value. */
interface AuditEntry {
  readonly companyId: string;
  readonly actor: Actor;
  readonly action: AuditAction;
  /** The id of what was acted on. */
  readonly target: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Audit logs that are not in this database: those of companies at home in another region. */
export interface AuditLogs {
  /** Sends an entry on its way when it is for such a log, in the caller's transaction; tells whether it did. */
  sendElsewhere(writer: Writer, entry: AuditLogRow): Promise<boolean>;
}

/** With one region every audit log is in this database. */
export const localAuditLogs: AuditLogs = { sendElsewhere: async () => false };

interface Deps extends Pick<Core, 'clock' | 'ids'> {
  readonly logsElsewhere: AuditLogs;
}

/** The record of every administrative act. */
export class Audit {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Records an act in the caller's transaction: it is done and recorded, or neither. */
  async record(writer: Writer, entry: AuditEntry): Promise<void> {
    await this.keep(writer, {
      company_id: entry.companyId,
      id: this.#deps.ids.uuid(),
      actor_kind: entry.actor.kind,
      actor_id: entry.actor.id,
      actor_name: entry.actor.name ?? null,
      source: entry.actor.source ?? null,
      action: entry.action,
      target: entry.target,
      details: JSON.stringify(entry.details ?? {}),
      created_at: this.#deps.clock.now(),
    });
  }

  /** Writes an entry where the log of its company is. */
  async keep(writer: Writer, row: AuditLogRow): Promise<void> {
    if (await this.#deps.logsElsewhere.sendElsewhere(writer, row)) return;
    await writer.insertInto('audit_log').values(row).execute();
  }

  /** What was done to a company's account, the latest first: ids sort by the time they were made. */
  async page({ engine, reader }: Database, companyId: string, page: NewestPaging): Promise<AuditLogPage> {
    const total = await countOf(engine, reader, 'audit_log', companyId);
    const rows = await reader
      .selectFrom('audit_log')
      .selectAll()
      .where('company_id', '=', companyId)
      .where('id', '<', page.before)
      .orderBy('id', 'desc')
      .limit(inOrderMost(page.limit))
      .offset(page.offset)
      .execute();
    const items = rows.map((row) => ({
      id: row.id,
      at: isoTime(row.created_at),
      actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name, source: row.source },
      action: row.action,
      target: row.target,
      details: JSON.parse(row.details) as Record<string, unknown>,
    }));
    return { total, items };
  }
}
