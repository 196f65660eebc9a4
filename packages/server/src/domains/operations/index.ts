import { type Core, combine } from '../domain.ts';
import { createBlobs } from './blobs/index.ts';
import { createHealth, type SealHealth } from './health/index.ts';
import { createJobWorker, type Jobs } from './jobs/index.ts';
import type { AuditLogs } from './journal/index.ts';
import { createJournal } from './journal/index.ts';
import { createMaintenance } from './maintenance/index.ts';
import { createRowCounts } from './row-counts/index.ts';
import { createServiceLog } from './service-log/index.ts';

export { type Blobs, createBlobs } from './blobs/index.ts';
export { createHealth } from './health/index.ts';
export { createJobs, type Job, type JobKind, type JobRow, type Jobs, type Step } from './jobs/index.ts';
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
export function createOperations(
  core: Core,
  needs: { logsElsewhere: AuditLogs; jobs: Jobs; sealHealth: SealHealth },
) {
  const journal = createJournal(core, needs);
  const serviceLog = createServiceLog(core, journal);
  const maintenance = createMaintenance(core);
  const jobWorker = createJobWorker(core, { ...needs, ...maintenance });
  const blobs = createBlobs(core);
  const health = createHealth(core, { ...needs, ...maintenance });
  return {
    ...journal,
    ...serviceLog,
    ...maintenance,
    ...jobWorker,
    ...blobs,
    domain: combine(
      journal.domain,
      serviceLog.domain,
      jobWorker.domain,
      blobs.domain,
      createRowCounts(core, maintenance),
      health,
    ),
  };
}
