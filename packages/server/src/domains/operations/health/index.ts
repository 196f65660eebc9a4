import { sql } from 'kysely';
import { PlatformError } from '../../../core/errors.ts';
import { type Timers, timeLimit } from '../../../core/timers.ts';
import type { Writer } from '../../../db/database.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Maintenance } from '../maintenance/maintenance.ts';
import { healthRoutes, type SealHealth } from './routes.ts';

/** A balancer decides by the answer, and not by its own time-out: it is shorter than any of those. */
const ANSWER_MOST_MS = 2_000;

export function createHealth(
  core: Pick<Core, 'availability' | 'timers'> & Partial<Pick<Core, 'database'>>,
  needs: { maintenance: Pick<Maintenance, 'state'>; sealHealth?: SealHealth },
): Domain {
  const check = async () => {
    const { database } = core;
    if (database !== undefined)
      await answeredInTime(core.timers, sql`select 1`.execute(database.vital as Writer));
  };
  return { routes: (app) => healthRoutes(app, { ...core, ...needs, check }) };
}

/** Waits for a database that may be slow. @throws {PlatformError} db.unavailable, and what the query throws */
export async function answeredInTime(timers: Timers, query: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const cancel = timeLimit(timers, ANSWER_MOST_MS, () =>
    late.reject(new PlatformError('db.unavailable', { headers: { 'retry-after': '5' } })),
  );
  await Promise.race([query, late.promise]).finally(cancel);
}
