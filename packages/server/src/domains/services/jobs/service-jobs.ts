import type { ServiceJob } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import type { Core } from '../../domain.ts';
import type { JobRow, Jobs } from '../../operations/index.ts';
import type { ServiceRef, Services } from '../services/services.ts';

type Deps = Pick<Core, 'database'> & { readonly jobs: Jobs; readonly services: Services };

/** How far the work is that acts on a service have left to a worker (wire 4.6). */
export class ServiceJobs {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * The latest first. A service that was deleted has jobs too, which end its connections.
   * @throws {PlatformError} services.not_found
   */
  async list(ref: ServiceRef): Promise<ServiceJob[]> {
    const { reader } = this.#deps.database;
    const rows = await this.#deps.jobs.of(reader, ref);
    if (rows.length === 0) await this.#deps.services.require(reader, ref);
    return rows.map(toServiceJob);
  }
}

function toServiceJob(row: JobRow): ServiceJob {
  return {
    id: row.id,
    kind: row.kind,
    state: stateOf(row),
    done: row.done,
    total: row.total,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    finished_at: row.finished_at === null ? null : isoTime(row.finished_at),
  };
}

function stateOf(row: JobRow): ServiceJob['state'] {
  if (row.finished_at !== null) return 'done';
  return row.stepped_at === null ? 'waiting' : 'running';
}
