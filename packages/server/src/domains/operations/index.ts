import { type Core, combine } from '../domain.ts';
import { Blobs } from './blobs/blobs.ts';
import { blobTables } from './blobs/tables.ts';
import { createHealth } from './health/index.ts';
import type { SealHealth } from './health/routes.ts';
import { showJobs } from './jobs/gauges.ts';
import { JobWorker } from './jobs/job-worker.ts';
import { Jobs } from './jobs/jobs.ts';
import { jobTables } from './jobs/tables.ts';
import { Audit, type AuditLogs } from './journal/audit.ts';
import { OperatorActs } from './journal/operator-acts.ts';
import { auditRoutes } from './journal/routes.ts';
import { journalTables } from './journal/tables.ts';
import { Maintenance, pausedDatabase as paused } from './maintenance/maintenance.ts';
import { createRowCounts } from './row-counts/index.ts';
import { ServiceLogs } from './service-log/logs.ts';
import { serviceLogTables } from './service-log/tables.ts';

export { Blobs } from './blobs/blobs.ts';
export { createHealth } from './health/index.ts';
export type { SealHealth } from './health/routes.ts';
export type { Job, JobKind, Jobs, Step } from './jobs/jobs.ts';
export { nextJobs, unfinishedJobs } from './jobs/store.ts';
export type { JobRow } from './jobs/tables.ts';
export { type Actor, type Audit, type AuditLogs, localAuditLogs } from './journal/audit.ts';
export type { OperatorActs } from './journal/operator-acts.ts';
export type { AuditLogRow } from './journal/tables.ts';
export type { Maintenance } from './maintenance/maintenance.ts';
export type { MaintenanceState } from './maintenance/refusals.ts';
export { countOf, countsByKey, totalOf } from './row-counts/store.ts';
export type { CountedTable } from './row-counts/tables.ts';
export type { LoggedCount, ServiceLogs } from './service-log/logs.ts';
export type { ServiceLogRow } from './service-log/tables.ts';

/** What keeps the platform in order: records of acts, the service log, maintenance, blobs, health. */
export function createOperations(core: Core, needs: { logsElsewhere: AuditLogs; sealHealth: SealHealth }) {
  const audit = new Audit({ ...core, ...needs });
  const maintenance = new Maintenance(core);
  const pausedDatabase = paused(core.database, maintenance);
  const jobs = new Jobs(core);
  const jobWorker = new JobWorker({ ...core, jobs, database: pausedDatabase });
  showJobs(core);
  const blobs = new Blobs({ ...core, store: core.blobStore });
  return {
    audit,
    acts: new OperatorActs({ ...core, audit }),
    logs: new ServiceLogs({ ...core, audit }),
    maintenance,
    pausedDatabase,
    jobs,
    jobWorker,
    blobs,
    domain: combine(
      { tables: journalTables, routes: (app) => auditRoutes(app, { ...core, audit }) },
      { tables: serviceLogTables },
      {
        tables: jobTables,
        workers: [jobWorker],
        sweeps: [{ name: 'jobs', run: (stopping) => jobWorker.sweep(stopping) }],
      },
      { tables: blobTables, sweeps: [{ name: 'blobs', run: (stopping) => blobs.sweep(stopping) }] },
      createRowCounts(core, { pausedDatabase }),
      createHealth(core, { ...needs, maintenance }),
    ),
  };
}
