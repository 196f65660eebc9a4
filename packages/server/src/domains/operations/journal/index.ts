import type { Core, Domain } from '../../domain.ts';
import { Audit, type AuditLogs } from './audit.ts';
import { OperatorActs } from './operator-acts.ts';
import { auditRoutes } from './routes.ts';
import { journalTables } from './tables.ts';

export { type Actor, type Audit, type AuditLogs, localAuditLogs } from './audit.ts';
export type { OperatorActs } from './operator-acts.ts';
export type { AuditLogRow } from './tables.ts';

/** The records of administrative acts: a company's audit log and the operator's log. */
export function createJournal(core: Core, needs: { logsElsewhere: AuditLogs }) {
  const audit = new Audit({ ...core, ...needs });
  const acts = new OperatorActs({ ...core, audit });
  const domain: Domain = { tables: journalTables, routes: (app) => auditRoutes(app, { ...core, audit }) };
  return { audit, acts, domain };
}
