import { hostname } from 'node:os';
import type { AdminProcess, ProcessFigures } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { eventLoop } from '../../../core/event-loop.ts';
import { version } from '../../../core/version.ts';
import { Worker } from '../../../core/worker.ts';
import type { BackgroundWork, Core } from '../../domain.ts';
import type { Maintenance } from '../../operations/index.ts';
import { deleteProcess, deleteUnseen, latestProcesses, putProcess } from './store.ts';
import type { ProcessRow } from './tables.ts';

/** How often a process writes of itself. */
const SEEN_MS = 15_000;
/** One that was not seen for so long is gone. */
const GONE_MS = 60_000;
/** An outcome of a check that is older says nothing of now. */
const CHECKED_MS = 60_000;
/** Rows at most that are shown, and that a start leaves of what was there: a process may start and fail again and again. */
const SHOWN_MOST = 200;

/** What a row of a version that says less of itself does not say. */
const UNSAID: ProcessFigures = {
  state: 'serving',
  memory_bytes: null,
  event_loop_p99_ms: null,
  requests_per_second: null,
  errors: null,
};

interface Deps
  extends Pick<
    Core,
    | 'availability'
    | 'clock'
    | 'config'
    | 'database'
    | 'ids'
    | 'instance'
    | 'instruments'
    | 'log'
    | 'readiness'
    | 'timers'
  > {
  readonly maintenance: Pick<Maintenance, 'state'>;
}

/**
 * The processes that share the database. Each writes a row of itself again and again, also while saving is paused, and deletes
 * it when it stops in order.
 */
export class Processes implements BackgroundWork {
  readonly role: 'region' | 'worker';
  readonly #deps: Deps;
  readonly #own: Omit<ProcessRow, 'seen_at' | 'figures'>;
  readonly #worker: Worker;
  #isDraining = false;
  #isStarted = false;
  #isKnown = false;
  /** Writes run one after the other: the last one says what is. */
  #writing: Promise<void> = Promise.resolve();

  constructor(deps: Deps) {
    this.#deps = deps;
    const { roles, region } = deps.config;
    this.role = roles.has('region') ? 'region' : 'worker';
    this.#own = {
      id: deps.ids.uuid(),
      instance: deps.instance,
      host: hostname(),
      pid: process.pid,
      roles: [...roles].join(','),
      version,
      region,
      started_at: deps.clock.now(),
    };
    const work = () => this.write();
    this.#worker = new Worker({ ...deps, name: 'processes', pauseMs: SEEN_MS, work });
  }

  start(): void {
    this.#isStarted = true;
    this.#worker.start();
  }

  drain(): void {
    this.#isDraining = true;
    if (!this.#isStarted) return;
    this.write().catch((error: unknown) => {
      if (this.#deps.availability.explains(error)) return;
      this.#deps.log.error({ err: error }, 'saying that the process stops failed');
    });
  }

  async stop(): Promise<void> {
    await this.#worker.stop();
    await this.#writing;
    if (!this.#isStarted) return;
    await this.#deps.database.write((writer) => deleteProcess(writer, this.#own.id));
  }

  /** Says what this process is now. */
  write(): Promise<void> {
    const written = this.#writing.then(() => this.#write());
    this.#writing = written.catch(() => {});
    return written;
  }

  /** All of them; those that are gone come last. */
  async list(): Promise<AdminProcess[]> {
    const rows = await latestProcesses(this.#deps.database.reader, SHOWN_MOST);
    const goneBefore = this.#deps.clock.now() - GONE_MS;
    const all = rows.map(({ roles, started_at, seen_at, figures, ...row }) => ({
      ...row,
      ...UNSAID,
      ...(JSON.parse(figures) as Partial<ProcessFigures>),
      this: row.id === this.#own.id,
      gone: seen_at < goneBefore,
      roles: roles.split(','),
      started_at: isoTime(started_at),
      seen_at: isoTime(seen_at),
    }));
    return all.sort(
      (a, b) => Number(a.gone) - Number(b.gone) || compare(a.instance, b.instance) || compare(a.id, b.id),
    );
  }

  async #write(): Promise<void> {
    const { clock, database } = this.#deps;
    const seen_at = clock.now();
    const figures = JSON.stringify(this.#figures());
    await database.write(async (writer) => {
      if (!this.#isKnown) await deleteUnseen(writer, seen_at - GONE_MS, SHOWN_MOST);
      await putProcess(writer, { ...this.#own, seen_at, figures });
    });
    this.#isKnown = true;
  }

  #figures(): ProcessFigures {
    const { total, seconds, errors } = this.#deps.instruments.requests.read();
    return {
      state: this.#isDraining ? 'draining' : (this.#deps.maintenance.state ?? this.#readiness()),
      memory_bytes: process.memoryUsage.rss(),
      event_loop_p99_ms: Math.round(eventLoop.read().p99),
      requests_per_second: Math.round((total / seconds) * 10) / 10,
      errors,
    };
  }

  /** As far as it is known without a try: one every few seconds, of a mail server too, is for whoever asks. */
  #readiness(): 'serving' | 'degraded' | 'not_ready' {
    const { availability, readiness } = this.#deps;
    const failed = Object.values(readiness.last().checks).filter(
      ({ state, age_seconds: age = 0 }) => state === 'failed' && age * 1000 < CHECKED_MS,
    );
    if (failed.some(({ needed }) => needed)) return 'not_ready';
    const isWell =
      failed.length === 0 && availability.away.length === 0 && availability.failingWork.size === 0;
    return isWell ? 'serving' : 'degraded';
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
