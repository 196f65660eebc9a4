import type { AdminJob, AdminJobList, AdminReadiness } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { diskOf } from '../../../core/disk.ts';
import { version } from '../../../core/version.ts';
import type { Core } from '../../domain.ts';
import { type JobRow, nextJobs, unfinishedJobs } from '../../operations/index.ts';
import { companyNames } from './store.ts';

/** Unfinished jobs among which those that fail are looked for. */
const LOOKED_AT = 1000;
const SHOWN_MOST = 100;

type Deps = Pick<Core, 'clock' | 'config' | 'database' | 'instance' | 'readiness'>;

/** What an operator looks at: whether a process can do its work, and the work that waits. */
export class Watch {
  readonly #deps: Deps;
  readonly #startedAt: number;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#startedAt = deps.clock.now();
  }

  /** Of this process. */
  async readiness(): Promise<Omit<AdminReadiness, 'may_act'>> {
    const { config, instance, readiness } = this.#deps;
    const { status, checks } = await readiness.answer();
    const { free, size } = await diskOf(config.dataDir);
    return {
      status,
      checks,
      process: {
        instance,
        region: config.region,
        roles: [...config.roles],
        version,
        started_at: isoTime(this.#startedAt),
        memory_bytes: process.memoryUsage.rss(),
      },
      disk: { free_bytes: free, size_bytes: size },
    };
  }

  /** Those that fail first. */
  async jobs(): Promise<AdminJobList> {
    const { engine, reader } = this.#deps.database;
    const { jobs: waiting, since } = await unfinishedJobs(reader);
    const next = await nextJobs(reader, LOOKED_AT);
    const failing = next.filter(({ failures }) => failures > 0);
    const rows = [...failing, ...next.filter(({ failures }) => failures === 0)].slice(0, SHOWN_MOST);
    const names = await companyNames(engine, reader, [...new Set(rows.map((row) => row.company_id))]);
    return {
      waiting,
      oldest_at: since === null ? null : isoTime(since),
      jobs: rows.map((row) => toJob(row, names.get(row.company_id) ?? null)),
    };
  }
}

const toJob = (row: JobRow, companyName: string | null): AdminJob => ({
  id: row.id,
  kind: row.kind,
  company_user_id: row.company_id,
  company_name: companyName,
  service_id: row.service_id,
  done: row.done,
  total: row.total,
  failures: row.failures,
  problem: row.problem,
  created_at: isoTime(row.created_at),
  stepped_at: row.stepped_at === null ? null : isoTime(row.stepped_at),
});
