import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    audit_log: AuditLogRow;
    operator_acts: OperatorActRow;
  }
}

/** One administrative act. */
export interface AuditLogRow {
  company_id: string;
  id: string;
  actor_kind: 'portal' | 'account_client' | 'operator' | 'platform';
  actor_id: string;
  actor_name: string | null;
  /** The address the call came from. */
  source: string | null;
  action: string;
  target: string;
  /** JSON; never a secret or a value. */
  details: string;
  created_at: number;
}

/** Something an operator did. */
export interface OperatorActRow {
  id: string;
  act: string;
  subject: string | null;
  /** JSON; never a secret or a value. */
  details: string;
  source: string;
  at: number;
}

export const journalTables = defineTables({
  audit_log: {
    key: ['company_id', 'id'],
    belongsTo: { companies: 'company_id' },
    move: { bulk: true },
  },
  operator_acts: {
    key: ['id'],
  },
});
