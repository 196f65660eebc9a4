import type { Core, Domain } from '../../domain.ts';
import { Maintenance, pausedDatabase } from './maintenance.ts';

export type { Maintenance } from './maintenance.ts';
export type { MaintenanceState } from './refusals.ts';

/** Pausing writes, and taking the region out of order. */
export function createMaintenance(core: Core) {
  const maintenance = new Maintenance(core);
  const domain: Domain = {
    // Before everything else stops: what ends now must not wait until writes resume.
    stop: async () => maintenance.stop(),
  };
  return { maintenance, pausedDatabase: pausedDatabase(core.database, maintenance), domain };
}
