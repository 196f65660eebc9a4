import type { Core } from '../../domain.ts';
import { Maintenance, pausedDatabase } from './maintenance.ts';

export type { Maintenance } from './maintenance.ts';
export type { MaintenanceState } from './refusals.ts';

/** Pausing writes, and taking the region out of order. */
export function createMaintenance(core: Core) {
  const maintenance = new Maintenance(core);
  return { maintenance, pausedDatabase: pausedDatabase(core.database, maintenance) };
}
