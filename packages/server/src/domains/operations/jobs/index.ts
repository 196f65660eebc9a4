import type { Database } from '../../../db/database.ts';
import type { Core, Domain } from '../../domain.ts';
import { JobWorker } from './job-worker.ts';
import { Jobs } from './jobs.ts';
import { jobTables } from './tables.ts';

export type { JobWorker } from './job-worker.ts';
export type { Job, JobKind, Jobs, Step } from './jobs.ts';
export type { JobRow } from './tables.ts';

/** Work that domains leave for later; they hand in the kinds that they have. */
export function createJobs(core: Core, needs: { pausedDatabase: Database }) {
  const jobs = new Jobs(core);
  const jobWorker = new JobWorker({ ...core, jobs, database: needs.pausedDatabase });
  const domain: Domain = {
    tables: jobTables,
    workers: [jobWorker],
    sweeps: [{ name: 'jobs', run: (stopping) => jobWorker.sweep(stopping) }],
  };
  return { jobs, jobWorker, domain };
}
