import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceJob } from '@symbolon/protocol';
import type { ApiClient } from '@symbolon/sdk/account';
import { showProgress } from '../terminal/progress.ts';
import { pathOf } from './find.ts';

const LOOK_AGAIN_MS = 500;

/** Waits until the work is done that acts on a service have left to the platform, with a bar on a terminal. */
export async function waitForJobs(api: ApiClient, service: string): Promise<void> {
  const started = (await jobsOf(api, service)).filter((job) => job.state !== 'done');
  if (started.length === 0) return;
  const ids = new Set(started.map((job) => job.id));
  const progress = showProgress('customers');
  try {
    for (;;) {
      const jobs = (await jobsOf(api, service)).filter((job) => ids.has(job.id));
      const total = sumOf(jobs, (job) => job.total ?? 0);
      if (total > 0) progress.total(total);
      progress.done(sumOf(jobs, (job) => (job.total === null ? 0 : job.done)));
      if (jobs.every((job) => job.state === 'done')) return;
      await sleep(LOOK_AGAIN_MS);
    }
  } finally {
    progress.stop();
  }
}

async function jobsOf(api: ApiClient, service: string): Promise<ServiceJob[]> {
  const path = pathOf('GET /api/services/{service}/jobs', { service });
  return (await api.json<{ jobs: ServiceJob[] }>({ method: 'GET', path })).jobs;
}

const sumOf = (jobs: readonly ServiceJob[], count: (job: ServiceJob) => number) =>
  jobs.reduce((sum, job) => sum + count(job), 0);
