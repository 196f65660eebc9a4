import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceJob } from '@symbolon/protocol';
import type { CompanyClient } from '@symbolon/sdk/account';
import { writeLine } from '../terminal/output.ts';
import { createPaint } from '../terminal/paint.ts';
import { showProgress } from '../terminal/progress.ts';
import { jsonLine, pad, printable } from '../terminal/text.ts';
import { type Common, enterCompany } from './enter-company.ts';

const LOOK_AGAIN_MS = 500;

export async function listJobs(service: string, options: Common & { wait?: boolean }): Promise<void> {
  const client = await enterCompany(options);
  if (options.wait) await waitForJobs(client, service);
  const jobs = await client.serviceJobs(service);
  const paint = createPaint(process.stdout);
  for (const job of jobs) {
    await writeLine(
      options.json
        ? jsonLine(job)
        : `${pad(job.state, 7)}  ${paint.bold(printable(job.kind))}  ${job.done}/${job.total ?? '?'}  ${paint.dim(`since ${job.created_at}`)}`,
    );
  }
  if (jobs.length === 0 && !options.json) await writeLine(paint.dim('No act has left any work.'));
}

/** Waits until the work is done that acts on a service have left to the platform, with a bar on a terminal. */
export async function waitForJobs(client: CompanyClient, service: string): Promise<void> {
  const started = await unfinished(client, service);
  if (started.length === 0) return;
  const ids = new Set(started.map((job) => job.id));
  const progress = showProgress('customers');
  try {
    for (;;) {
      const jobs = (await client.serviceJobs(service)).filter((job) => ids.has(job.id));
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

async function unfinished(client: CompanyClient, service: string): Promise<ServiceJob[]> {
  return (await client.serviceJobs(service)).filter((job) => job.state !== 'done');
}

const sumOf = (jobs: readonly ServiceJob[], count: (job: ServiceJob) => number) =>
  jobs.reduce((sum, job) => sum + count(job), 0);
