import type { AdminRegion } from '@symbolon/protocol';
import { Worker } from '../../../core/worker.ts';
import type { App } from '../../../http/app.ts';
import { type Core, type Domain, expirySweep } from '../../domain.ts';
import type { Peers } from '../directory/peers.ts';
import { createCompanyMoves } from './create.ts';
import { Moves } from './moves.ts';
import { movePeerRoutes } from './peer-routes.ts';
import { moveRoutes, regionMigrationRoutes } from './routes.ts';
import { unfinishedMoves } from './store.ts';

/** Short, because a caller waits for a move to begin and a frozen company for it to end. */
const PAUSE_MS = 1000;
const HEALTH_MS = 3000;

type NeedsOfOne = Omit<ConstructorParameters<typeof Moves>[0], 'statusOf'>;
type Needs = NeedsOfOne &
  Omit<Parameters<typeof createCompanyMoves>[0], 'parts' | 'keys'> & {
    readonly photos: Parameters<typeof createCompanyMoves>[0]['parts'][number];
    readonly maintenance: { readonly workPaused: boolean };
  };

/** The routes about moves on a platform with one region. */
export const createOneRegionMoves = (core: Core, needs: NeedsOfOne): Domain =>
  routesOfMoves(core, new Moves({ ...needs, statusOf: async () => 'unreachable' }));

const routesOfMoves = ({ config }: Core, moves: Moves) => ({
  routes(app: App) {
    regionMigrationRoutes(app, { moves });
    if (config.operatorToken !== undefined) moveRoutes(app, { moves });
  },
});

/** What another region answers to a call about its health. */
async function statusOf(peers: Peers, region: string): Promise<AdminRegion['status']> {
  try {
    const call = { method: 'GET', path: '/api/health', timeoutMs: HEALTH_MS } as const;
    return (await peers.ask<Pick<AdminRegion, 'status'>>({ region }, call)).status;
  } catch {
    return 'unreachable';
  }
}

/** Companies that move between regions. */
export function createMoves(core: Core, needs: Needs) {
  const moves = new Moves({ ...needs, statusOf: (region) => statusOf(needs.peers, region) });
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
      routesOfMoves(core, moves).routes(app);
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
