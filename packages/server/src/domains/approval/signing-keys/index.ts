import { Worker } from '../../../core/worker.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Maintenance, OperatorActs } from '../../operations/index.ts';
import { signingKeyRoutes } from './routes.ts';
import { SigningKeys } from './signing-keys.ts';
import { signingKeyTables } from './tables.ts';

/** How soon there are keys for a new app, and an old one gets its successor. */
const PAUSE_MS = 30_000;

/** The keys of id_tokens; made before the domains that they serve. */
export function createSigningKeys(core: Core): SigningKeys {
  return new SigningKeys(core);
}

/** What is done with the keys beside signing. */
export function keepSigningKeys(
  core: Core,
  needs: { signingKeys: SigningKeys; maintenance: Maintenance; acts: OperatorActs },
): Domain {
  const { signingKeys, maintenance } = needs;
  const keeping = new Worker({
    ...core,
    name: 'keys of id_tokens',
    pauseMs: PAUSE_MS,
    async work() {
      if (maintenance.workPaused) return;
      await signingKeys.maintain(core.config.signingKeyMs);
    },
  });
  return {
    tables: signingKeyTables,
    routes(app) {
      if (core.config.operatorToken !== undefined) signingKeyRoutes(app, needs);
    },
    workers: [{ role: 'worker', start: () => keeping.start(), stop: () => keeping.stop() }],
  };
}
