import { PlatformError } from '../../../core/errors.ts';
import { SignalledWorker } from '../../../core/signalled-worker.ts';
import { sleep } from '../../../core/timers.ts';
import type { Database } from '../../../db/database.ts';
import { outageOf } from '../../../db/engine-errors.ts';
import { deleteExpired } from '../../../db/expired-rows.ts';
import { isWritesPaused } from '../../../db/paused-writes.ts';
import { WriteSteps } from '../../../db/write-steps.ts';
import type { Core } from '../../domain.ts';
import { JOBS_CHANNEL, type JobKind, type Jobs, KEPT_MOST } from './jobs.ts';
import {
  companiesHere,
  deleteFinishedBehind,
  firstJobs,
  type JobHead,
  lastTurn,
  sendNextBack,
  takeJob,
  updateJob,
} from './store.ts';

/** Signals may be lost, and a company that moves here brings its jobs without one. */
const SCAN_MS = 5000;
/** Another process, or an act on a service, has a job for about this long. */
const HELD_MS = 100;
/** Services whose jobs are looked at together. */
const SERVICES_AT_ONCE = 500;
/** Steps between two looks, unless more companies have jobs: one whose job is new waits no longer for its first step. */
const STEPS_MOST = 16;
/** Jobs whose steps and setbacks are remembered. */
const REMEMBERED_MOST = 2000;
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

/** What this process remembers of a job. */
interface Memory {
  /** Jobs of one kind cost differently from each other: each learns the size of its own steps. */
  readonly steps: WriteSteps;
  failures: number;
  /** It is left alone for so long from a time on, after a step that did not succeed. */
  setback: { readonly since: number; readonly ms: number } | undefined;
}

/**
 * Takes the steps of jobs, one at a time in each process. A step locks the row of its job, so any number of processes share
 * the work, and one that dies leaves whole steps. Companies take turns, and the services of a company among themselves: a
 * large job, or many, keep no other company waiting.
 */
export class JobWorker extends SignalledWorker {
  readonly #deps: Deps;
  readonly #memory = new Map<string, Memory>();
  /** The service up to which jobs were looked at; empty at the beginning. */
  #after = '';

  constructor(deps: Deps) {
    super({ ...deps, name: 'jobs', pauseMs: SCAN_MS, channel: JOBS_CHANNEL });
    this.#deps = deps;
  }

  /** Deletes jobs that finished long ago. */
  async sweep(stopping: AbortSignal): Promise<void> {
    // Times are whole milliseconds: those that finished before the seven days.
    const jobs = { table: 'jobs', column: 'finished_at', keptMs: KEPT_MS + 1 } as const;
    await deleteExpired(this.#deps, jobs, stopping);
  }

  protected async work(): Promise<false> {
    for (let outcome = await this.#round(); outcome !== 'nothing'; outcome = await this.#round()) {
      if (outcome === 'held') await sleep(this.#deps.timers, HELD_MS);
    }
    return false;
  }

  /** Some steps, of each company that has something to do. @returns `held` when others have all that could go on */
  async #round(): Promise<'stepped' | 'held' | 'nothing'> {
    const { database } = this.#deps;
    let outcome: 'stepped' | 'held' | 'nothing' = 'nothing';
    for (let whole = this.#after === ''; ; whole = true) {
      do {
        const heads = await firstJobs(database.reader, this.#after, SERVICES_AT_ONCE);
        this.#after = heads.length < SERVICES_AT_ONCE ? '' : (heads.at(-1)?.service_id ?? '');
        for (const { head, kind } of await this.#inTurns(heads)) {
          if (this.isStopping) return 'nothing';
          const taken = await this.#step(head, kind);
          if (outcome === 'nothing' || taken === 'stepped') outcome = taken;
        }
        if (outcome !== 'nothing') return outcome;
      } while (this.#after !== '');
      if (whole) return 'nothing';
    }
  }

  /** The jobs that may go on, in the order of their next steps: first one of each company, then another of each. */
  async #inTurns(heads: readonly JobHead[]): Promise<{ head: JobHead; kind: JobKind<unknown> }[]> {
    const { clock, database, jobs } = this.#deps;
    const now = clock.now();
    // A kind that only a newer version knows is left to it.
    const ready = heads.flatMap((head) => {
      const kind = jobs.kind(head.kind);
      return kind === undefined || waits(this.#memory.get(head.id), now) ? [] : [{ head, kind }];
    });
    const byCompany = Map.groupBy(ready, ({ head }) => head.company_id);
    const here = await companiesHere(database.engine, database.reader, [...byCompany.keys()]);
    const ordered = [...byCompany]
      .filter(([company]) => here.has(company))
      .map(([, own]) => own.toSorted((a, b) => a.head.turn - b.head.turn || (a.head.id < b.head.id ? -1 : 1)))
      .flatMap((own) => own.map((one, nth) => ({ ...one, nth })))
      .sort((a, b) => a.nth - b.nth || a.head.turn - b.head.turn);
    return ordered.slice(0, Math.max(STEPS_MOST, byCompany.size));
  }

  async #step(head: JobHead, kind: JobKind<unknown>): Promise<'stepped' | 'held' | 'nothing'> {
    const memory = this.#remembered(head.id);
    try {
      const { rows, finished, saved } = await memory.steps.take((writer, most) =>
        this.#stepIn(writer, head, kind, most),
      );
      if (rows === undefined) return 'held';
      saved?.();
      this.#goesOn(head, memory);
      if (finished) this.#memory.delete(head.id);
      return 'stepped';
    } catch (error) {
      await this.#failed(head, memory, error);
      return 'nothing';
    }
  }

  #remembered(id: string): Memory {
    // Other processes finish jobs too: what is remembered of those is of no use.
    if (this.#memory.size >= REMEMBERED_MOST)
      for (const [known, { setback }] of this.#memory) if (setback === undefined) this.#memory.delete(known);
    if (this.#memory.size >= REMEMBERED_MOST) this.#memory.clear();
    const memory = this.#memory.get(id) ?? {
      steps: new WriteSteps(this.#deps),
      failures: 0,
      setback: undefined,
    };
    this.#memory.set(id, memory);
    return memory;
  }

  async #stepIn(writer: Parameters<typeof takeJob>[1], key: JobHead, kind: JobKind<unknown>, most: number) {
    const { clock, database } = this.#deps;
    const row = await takeJob(database.engine, writer, key);
    if (row === undefined) return { rows: undefined, finished: false, saved: undefined };
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
      await sendNextBack(writer, row, turn);
      await deleteFinishedBehind(writer, row, KEPT_MOST);
    }
    return { rows: step.rows ?? step.done, finished: step.finished, saved: step.saved };
  }

  #goesOn(head: JobHead, memory: Memory): void {
    if (memory.failures > 0) this.#deps.log.info(described(head), 'job goes on');
    memory.failures = 0;
    memory.setback = undefined;
  }

  async #failed(head: JobHead, memory: Memory, error: unknown): Promise<void> {
    const { availability, clock, database, log } = this.#deps;
    const since = clock.now();
    if (availability.failed('saving', error) || isWaiting(error)) {
      memory.setback = { since, ms: RETRY_FROZEN_MS };
      return;
    }
    const before = memory.failures++;
    memory.setback = { since, ms: Math.min(RETRY_FIRST_MS * 2 ** before, RETRY_MOST_MS) };
    if (before === 0) log.error({ err: error, ...described(head) }, 'job failed; it is tried again');
    const problem = String((error as Error)?.message ?? error).slice(0, 500);
    const { failures } = memory;
    await database
      .write((writer) => updateJob(writer, head, { failures, problem, updated_at: since }))
      .catch(() => {});
  }
}

/** Whether a job is left alone for now. A clock that was set back does not make that any longer. */
function waits(memory: Memory | undefined, now: number): boolean {
  const setback = memory?.setback;
  return setback !== undefined && now >= setback.since && now < setback.since + setback.ms;
}

/** Whether waiting is all there is to do: the company moves, or nothing can be saved. A step that takes too long is a failure. */
function isWaiting(error: unknown): boolean {
  if (isWritesPaused(error)) return outageOf((error as Error).cause) !== 'busy';
  return error instanceof PlatformError && error.key === 'service.busy';
}

const described = ({ id, kind, company_id, service_id }: JobHead) => ({
  job: id,
  kind,
  company: company_id,
  service: service_id,
});
