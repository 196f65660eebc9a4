import { type Core, type Domain, expirySweep } from '../../domain.ts';
import type { Maintenance } from '../../operations/index.ts';
import { Processes } from './processes.ts';
import { processTables } from './tables.ts';

export type { Processes } from './processes.ts';

/** For how long one that is gone is shown. */
const KEPT_MS = 24 * 60 * 60_000;

export function createProcesses(core: Core, needs: { maintenance: Maintenance }) {
  const processes = new Processes({ ...core, ...needs });
  const unseen = { table: 'processes', column: 'seen_at', keptMs: KEPT_MS } as const;
  const domain: Domain = {
    tables: processTables,
    workers: [processes],
    sweeps: [expirySweep(core, 'processes', unseen)],
  };
  return { processes, domain };
}
