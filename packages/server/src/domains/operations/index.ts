import { type Core, combine } from '../domain.ts';
import { createBlobs } from './blobs/index.ts';
import { createHealth, type SealHealth } from './health/index.ts';
import { createJobs } from './jobs/index.ts';
import type { AuditLogs } from './journal/index.ts';
import { createJournal } from './journal/index.ts';
import { createMaintenance } from './maintenance/index.ts';
import { createRowCounts } from './row-counts/index.ts';
import { createServiceLog } from './service-log/index.ts';

export { type Blobs, createBlobs } from './blobs/index.ts';
export { createHealth, type SealHealth } from './health/index.ts';
export type { Job, JobKind, JobRow, Jobs, Step } from './jobs/index.ts';
export {
  type Actor,
  type Audit,
  type AuditLogRow,
  type AuditLogs,
  localAuditLogs,
  type OperatorActs,
} from './journal/index.ts';
export type { Maintenance, MaintenanceState } from './maintenance/index.ts';
export { type CountedTable, countOf, countsByKey } from './row-counts/index.ts';
export type { LoggedCount, ServiceLogRow, ServiceLogs } from './service-log/index.ts';

/** What keeps the platform in order: records of acts, the service log, maintenance, blobs, health. */
export function createOperations(core: Core, needs: { logsElsewhere: AuditLogs; sealHealth: SealHealth }) {
  const journal = createJournal(core, needs);
  const serviceLog = createServiceLog(core, journal);
  const maintenance = createMaintenance(core);
  const jobs = createJobs(core, maintenance);
  const blobs = createBlobs(core);
  const health = createHealth(core, { ...needs, ...maintenance });
  return {
    ...journal,
    ...serviceLog,
    ...maintenance,
    ...jobs,
    ...blobs,
    domain: combine(
      journal.domain,
      serviceLog.domain,
      jobs.domain,
      blobs.domain,
      createRowCounts(core, maintenance),
      health,
    ),
  };
}
