import { Worker } from '../../../core/worker.ts';
import type { Core, Domain } from '../../domain.ts';
import { createDepartures } from './create.ts';
import { Moves } from './moves.ts';
import { movePeerRoutes } from './peer-routes.ts';
import { moveRoutes, regionMigrationRoutes } from './routes.ts';

/** Whoever asked for a move waits for it to begin, and a frozen company for it to end. */
const PAUSE_MS = 1000;

type Needs = ConstructorParameters<typeof Moves>[0] &
  Omit<Parameters<typeof createDepartures>[0], 'parts' | 'keys'> & {
    readonly photos: Parameters<typeof createDepartures>[0]['parts'][number];
    readonly maintenance: { readonly holding: boolean };
  };

/** Companies that move between regions. */
export async function createMoves(core: Core, needs: Needs) {
  const moves = new Moves(needs);
  const { departures, arrivals, holds } = createDepartures({
    ...needs,
    keys: core.secrets.keys,
    parts: [needs.photos],
  });
  // Before anything is delivered: a company that is still frozen stays so from the first moment.
  await departures.resume();
  const worker = new Worker({
    ...core,
    name: 'moves',
    pauseMs: PAUSE_MS,
    async work(stopping) {
      if (!needs.maintenance.holding) await departures.run(stopping);
    },
  });
  const domain: Domain = {
    routes(app) {
      movePeerRoutes(app, { ...needs, arrivals });
      regionMigrationRoutes(app, { moves });
      if (core.config.operatorToken !== undefined) moveRoutes(app, { moves });
    },
    workers: [worker],
    sweeps: [
      { name: 'sessions of departed companies', run: () => moves.dropExpired() },
      {
        name: 'moves',
        async run() {
          await arrivals.sweep();
          await holds.tidy();
        },
      },
    ],
  };
  return { moves, departures, arrivals, holds, domain };
}
