import { deleteExpired } from '../../../db/expired-rows.ts';
import type { Core, Domain, NeedsOf } from '../../domain.ts';
import { Broadcasts } from './broadcasts.ts';
import { broadcastRoutes } from './routes.ts';
import { broadcastTables } from './tables.ts';

export {
  type BroadcastThread,
  broadcastsIn,
  isInThread,
  type ListedBroadcast,
  readBroadcasts,
} from './store.ts';

/** Messages to all people of a service. */
export function createBroadcasts(core: Core, needs: NeedsOf<typeof Broadcasts>): Domain {
  const broadcasts = new Broadcasts({ ...core, ...needs });
  return {
    tables: broadcastTables,
    routes: (app) => broadcastRoutes(app, { broadcasts }),
    sweeps: [
      { name: 'broadcasts', run: (stopping) => deleteExpired(core, { table: 'broadcasts' }, stopping) },
      {
        name: 'reads of broadcasts',
        run: (stopping) => deleteExpired(core, { table: 'broadcast_reads' }, stopping),
      },
    ],
  };
}
