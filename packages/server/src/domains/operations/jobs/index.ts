import type { Database } from '../../../db/database.ts';
import type { Core, Domain } from '../../domain.ts';
import { JobWorker } from './job-worker.ts';
import { Jobs } from './jobs.ts';
import { jobTables } from './tables.ts';

export type { JobWorker } from './job-worker.ts';
export type { Job, JobKind, Jobs, Step } from './jobs.ts';
export type { JobRow } from './tables.ts';

/** Made before all domains, which hand in the kinds of work that they have. */
export function createJobs(core: Core): Jobs {
  return new Jobs(core);
}

/** Does the jobs. */
export function createJobWorker(core: Core, needs: { jobs: Jobs; pausedDatabase: Database }) {
  const jobWorker = new JobWorker({ ...core, ...needs, database: needs.pausedDatabase });
  const domain: Domain = {
    tables: jobTables,
    workers: [jobWorker],
    sweeps: [{ name: 'jobs', run: (stopping) => jobWorker.sweep(stopping) }],
  };
  return { jobWorker, domain };
}
