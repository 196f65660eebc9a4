import { Worker } from '../../../core/worker.ts';
import { type Core, type Domain, expirySweep } from '../../domain.ts';
import { createCompanyMoves } from './create.ts';
import { Moves } from './moves.ts';
import { movePeerRoutes } from './peer-routes.ts';
import { moveRoutes, regionMigrationRoutes } from './routes.ts';
import { unfinishedMoves } from './store.ts';

/** Short, because a caller waits for a move to begin and a frozen company for it to end. */
const PAUSE_MS = 1000;

type Needs = ConstructorParameters<typeof Moves>[0] &
  Omit<Parameters<typeof createCompanyMoves>[0], 'parts' | 'keys'> & {
    readonly photos: Parameters<typeof createCompanyMoves>[0]['parts'][number];
    readonly maintenance: { readonly workPaused: boolean };
  };

/** Companies that move between regions. */
export function createMoves(core: Core, needs: Needs) {
  const moves = new Moves(needs);
  const { moveSource, moveTarget, freezer } = createCompanyMoves({
    ...needs,
    keys: core.secrets.keys,
    parts: [needs.photos],
  });
  const worker = new Worker({
    ...core,
    name: 'moves',
    pauseMs: PAUSE_MS,
    async work(stopping) {
      if (!needs.maintenance.workPaused) await moveSource.run(stopping);
    },
  });
  const domain: Domain = {
    // Before deliveries begin: a frozen company stays frozen.
    prepare: () => moveSource.resume(),
    routes(app) {
      movePeerRoutes(app, { ...needs, target: moveTarget });
      regionMigrationRoutes(app, { moves });
      if (core.config.operatorToken !== undefined) moveRoutes(app, { moves });
    },
    workers: [worker],
    sweeps: [
      expirySweep(core, 'sessions of departed companies', 'departed_sessions'),
      {
        name: 'moves',
        async run() {
          await moveTarget.sweep();
          await freezer.dropOldTriggers();
        },
      },
    ],
  };
  const companiesLeave = async () => (await unfinishedMoves(core.database.reader)).length > 0;
  return { moves, moveSource, moveTarget, freezer, companiesLeave, domain };
}
