import type { Reader, Writer } from '../../../db/database.ts';
import { serviceBusy } from '../../../db/paused-writes.ts';
import type { Core } from '../../domain.ts';
import {
  hasUnfinished,
  insertJob,
  isCompanyBusy,
  jobsOf,
  lastTurn,
  lockUnfinished,
  nextPosition,
} from './store.ts';
import type { JobRow } from './tables.ts';

/** Jobs of a service that are kept and shown. */
export const KEPT_MOST = 100;

/** Tells every process that there is a job. */
export const JOBS_CHANNEL = 'symbolon_jobs';

/** Work that an act leaves to a worker, as its kind sees it. */
export interface Job<State> {
  readonly id: string;
  readonly companyId: string;
  readonly serviceId: string;
  readonly state: State;
}

/** What a step did. Its rows and the new state are one transaction: a kill leaves whole steps. */
export interface Step<State> {
  readonly state: State;
  /** How many of the job's rows are done by it. */
  readonly done: number;
  /** How many of the allowed rows it worked on, if that is another number. */
  readonly rows?: number;
  readonly finished: boolean;
  /** Called once the step is saved; it is lost when the process ends before. */
  readonly saved?: () => void;
}

/** A kind of work. Every region knows all kinds: a job that is not done moves with its company. */
export interface JobKind<State> {
  readonly name: string;
  /** Does the next part of a job, on at most `most` rows. It touches only the database, and may be run again after a throw. */
  step(writer: Writer, job: Job<State>, most: number): Promise<Step<State>>;
}

type Deps = Pick<Core, 'clock' | 'database' | 'ids'>;

/**
 * Work that grows with the connections of a service. The act that causes it commits its decision with a job, and a worker
 * does the rest in steps.
 */
export class Jobs {
  readonly #deps: Deps;
  readonly #kinds = new Map<string, JobKind<unknown>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Makes a kind of work known; call it before the workers start. */
  register<State>(kind: JobKind<State>): void {
    this.#kinds.set(kind.name, kind as JobKind<unknown>);
  }

  kind(name: string): JobKind<unknown> | undefined {
    return this.#kinds.get(name);
  }

  /**
   * Leaves work to the worker, in the caller's transaction, which holds the lock of the service. The jobs of a service run
   * one after the other, in the order in which they were added.
   * @param job.total how many rows there are to do; null when that is not known
   * @returns the job's id
   * @throws {PlatformError} service.busy while the service has too many that are not done
   */
  async add<State>(
    writer: Writer,
    job: {
      readonly kind: string;
      readonly companyId: string;
      readonly serviceId: string;
      readonly state: State;
      readonly total: number | null;
    },
  ): Promise<string> {
    if (!this.#kinds.has(job.kind)) throw new Error(`There is no kind of job called ${job.kind}.`);
    const { clock, database, ids } = this.#deps;
    const now = clock.now();
    const id = ids.uuid();
    const service = { company_id: job.companyId, service_id: job.serviceId };
    if (await hasUnfinished(writer, job.serviceId, KEPT_MOST)) throw serviceBusy();
    await insertJob(writer, {
      ...service,
      id,
      kind: job.kind,
      state: JSON.stringify(job.state),
      position: await nextPosition(writer, service),
      turn: Math.max(now, (await lastTurn(writer)) + 1),
      done: 0,
      total: job.total,
      failures: 0,
      problem: null,
      created_at: now,
      updated_at: now,
      stepped_at: null,
      finished_at: null,
    });
    await database.notify(writer, JOBS_CHANNEL, '');
    return id;
  }

  /**
   * The jobs of one kind that a service still has, in their order. They take no step until the caller's transaction ends:
   * what it does for them itself is done once.
   */
  async hold<State>(writer: Writer, kind: string, serviceId: string): Promise<Job<State>[]> {
    const { engine } = this.#deps.database;
    const rows = await lockUnfinished(engine, writer, { service_id: serviceId, kind });
    return rows.map((row) => ({
      id: row.id,
      companyId: row.company_id,
      serviceId,
      state: JSON.parse(row.state) as State,
    }));
  }

  /** Whether a company has a job that is not done. */
  isBusy(reader: Reader, companyId: string): Promise<boolean> {
    return isCompanyBusy(reader, companyId);
  }

  /** The jobs of a service, the latest first; they are kept for some days after they finish. */
  of(reader: Reader, ref: { companyId: string; serviceId: string }): Promise<JobRow[]> {
    return jobsOf(reader, { company_id: ref.companyId, service_id: ref.serviceId }, KEPT_MOST);
  }
}
