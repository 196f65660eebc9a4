import { PlatformError } from '../../../core/errors.ts';
import { sleep } from '../../../core/timers.ts';
import { Worker } from '../../../core/worker.ts';
import type { Database } from '../../../db/database.ts';
import { deleteExpired } from '../../../db/expired-rows.ts';
import { isWritesPaused } from '../../../db/paused-writes.ts';
import { WriteSteps } from '../../../db/write-steps.ts';
import type { Core } from '../../domain.ts';
import { JOBS_CHANNEL, type JobKind, type Jobs, KEPT_MOST } from './jobs.ts';
import { deleteFinishedBehind, lastTurn, nextJobs, sendBack, takeJob, updateJob } from './store.ts';
import type { JobRow } from './tables.ts';

/** Signals may be lost, and a company that moves here brings its jobs without one. */
const SCAN_MS = 5000;
/** Another process, or an act on a service, has a job for about this long. */
const HELD_MS = 100;
const CANDIDATES_MOST = 200;
const RETRY_FIRST_MS = 1000;
const RETRY_MOST_MS = 60_000;
/** A company that moves cannot be written to for about this long. */
const RETRY_FROZEN_MS = 2000;
const DAY_MS = 24 * 60 * 60 * 1000;
const KEPT_MS = 7 * DAY_MS;

interface Deps extends Pick<Core, 'availability' | 'clock' | 'log' | 'timers'> {
  /** Writes wait while saving is paused. */
  readonly database: Database;
  readonly jobs: Jobs;
}

/** Why a job is left alone for a while. */
interface Setback {
  readonly until: number;
  readonly failures: number;
}

/**
 * Takes the steps of jobs, one at a time in each process. A step locks the row of its job, so any number of processes share
 * the work, and one that dies leaves whole steps. Services take turns: a large job keeps no other waiting.
 */
export class JobWorker {
  readonly #deps: Deps;
  readonly #scans: Worker;
  /** For each kind, because their rows cost differently. */
  readonly #steps = new Map<string, WriteSteps>();
  readonly #setbacks = new Map<string, Setback>();
  #running: Promise<void> | undefined;
  #again = false;
  #stopped = false;
  #unsubscribe = () => {};

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#scans = new Worker({ ...deps, name: 'jobs', pauseMs: SCAN_MS, work: () => this.run() });
  }

  async start(): Promise<void> {
    this.#unsubscribe = await this.#deps.database.subscribe(JOBS_CHANNEL, () => {
      // The scan looks again, and says what is wrong.
      this.run().catch(() => {});
    });
    this.#scans.start();
  }

  /** Finishes the step in hand. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    await this.#scans.stop();
    await this.#running?.catch(() => {});
  }

  /** Takes steps until no job can go on. */
  run(): Promise<void> {
    this.#again = true;
    this.#running ??= this.#loop().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Deletes jobs that finished long ago. */
  async sweep(stopping: AbortSignal): Promise<void> {
    // Times are whole milliseconds: those that finished before the seven days.
    const until = this.#deps.clock.now() - KEPT_MS - 1;
    await deleteExpired(this.#deps, { table: 'jobs', column: 'finished_at', until }, stopping);
  }

  async #loop(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false;
      for (let outcome = await this.#round(); outcome !== 'nothing'; outcome = await this.#round()) {
        if (outcome === 'held') await sleep(this.#deps.timers, HELD_MS);
      }
    }
  }

  /** One step of each service that has something to do. @returns `held` when others have all that could go on */
  async #round(): Promise<'stepped' | 'held' | 'nothing'> {
    let outcome: 'stepped' | 'held' | 'nothing' = 'nothing';
    for (const row of await nextJobs(this.#deps.database.reader, CANDIDATES_MOST)) {
      if (this.#stopped) return 'nothing';
      const kind = this.#deps.jobs.kind(row.kind);
      // A kind that only a newer version knows is left to it.
      if (kind === undefined || (this.#setbacks.get(row.id)?.until ?? 0) > this.#deps.clock.now()) continue;
      const taken = await this.#step(row, kind);
      if (outcome === 'nothing' || taken === 'stepped') outcome = taken;
    }
    return outcome;
  }

  async #step(row: JobRow, kind: JobKind<unknown>): Promise<'stepped' | 'held' | 'nothing'> {
    let steps = this.#steps.get(kind.name);
    if (steps === undefined) {
      steps = new WriteSteps(this.#deps);
      this.#steps.set(kind.name, steps);
    }
    try {
      const { rows } = await steps.take((writer, most) => this.#stepIn(writer, row, kind, most));
      if (rows === undefined) return 'held';
      this.#goesOn(row);
      return 'stepped';
    } catch (error) {
      await this.#failed(row, error);
      return 'nothing';
    }
  }

  async #stepIn(writer: Parameters<typeof takeJob>[1], key: JobRow, kind: JobKind<unknown>, most: number) {
    const { clock, database } = this.#deps;
    const row = await takeJob(database.engine, writer, key);
    if (row === undefined) return { rows: undefined };
    const job = { id: row.id, companyId: row.company_id, serviceId: row.service_id };
    const step = await kind.step(writer, { ...job, state: JSON.parse(row.state) }, most);
    const now = clock.now();
    const turn = Math.max(now, (await lastTurn(writer)) + 1);
    const done = row.done + step.done;
    await updateJob(writer, row, {
      state: JSON.stringify(step.state),
      done,
      turn,
      failures: 0,
      problem: null,
      updated_at: now,
      stepped_at: now,
      ...(step.finished ? { finished_at: now, total: done } : {}),
    });
    if (step.finished) {
      await sendBack(writer, row, turn);
      await deleteFinishedBehind(writer, row, KEPT_MOST);
    }
    return { rows: step.rows ?? step.done };
  }

  #goesOn(row: JobRow): void {
    const setback = this.#setbacks.get(row.id);
    if (setback === undefined) return;
    this.#setbacks.delete(row.id);
    if (setback.failures > 0) this.#deps.log.info(described(row), 'job goes on');
  }

  async #failed(row: JobRow, error: unknown): Promise<void> {
    const { clock, database, log } = this.#deps;
    const before = this.#setbacks.get(row.id)?.failures ?? 0;
    const isBusy = error instanceof PlatformError && error.key === 'service.busy';
    if (this.#deps.availability.failed('saving', error) || isWritesPaused(error) || isBusy) {
      // The company moves, or nothing can be saved: waiting is all there is to do.
      this.#setbacks.set(row.id, { until: clock.now() + RETRY_FROZEN_MS, failures: before });
      return;
    }
    const failures = before + 1;
    const pause = Math.min(RETRY_FIRST_MS * 2 ** before, RETRY_MOST_MS);
    this.#setbacks.set(row.id, { until: clock.now() + pause, failures });
    if (before === 0) log.error({ err: error, ...described(row) }, 'job failed; it is tried again');
    const problem = String((error as Error)?.message ?? error).slice(0, 500);
    await database
      .write((writer) => updateJob(writer, row, { failures, problem, updated_at: clock.now() }))
      .catch(() => {});
  }
}

const described = ({ id, kind, company_id, service_id }: JobRow) => ({
  job: id,
  kind,
  company: company_id,
  service: service_id,
});
