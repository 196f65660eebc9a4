import { sql } from 'kysely';
import type { Writer } from '../../../db/database.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Maintenance } from '../maintenance/index.ts';
import { healthRoutes, type SealHealth } from './routes.ts';

export type { SealHealth } from './routes.ts';

export function createHealth(
  core: Pick<Core, 'availability'> & Partial<Pick<Core, 'database'>>,
  needs: { maintenance: Pick<Maintenance, 'state'>; sealHealth?: SealHealth },
): Domain {
  const check = async () => {
    if (core.database !== undefined) await sql`select 1`.execute(core.database.vital as Writer);
  };
  return { routes: (app) => healthRoutes(app, { ...core, ...needs, check }) };
}
