import type { Database } from '../../../db/database.ts';
import { ResponseTracker } from '../../../http/response-tracker.ts';
import type { Core, Domain } from '../../domain.ts';
import type { ServiceLogs } from '../../operations/index.ts';
import type { Services } from '../../services/index.ts';
import { type Backlogs, Changes } from './changes.ts';
import type { Claims } from './claims.ts';
import { type EventQueues, feeds } from './event-queues.ts';
import { LeaseClaims } from './lease-claims.ts';
import { MemoryClaims } from './memory-claims.ts';
import { ChangePurge } from './purge.ts';
import { changeRoutes } from './routes.ts';

/** Who drains which rows of the feeds, or of the backlogs. */
export function createClaims(core: Core, queues: EventQueues): Claims {
  return core.database.engine === 'sqlite'
    ? new MemoryClaims({ ...core, queues })
    : new LeaseClaims({ ...core, queues, owner: core.instance });
}

/** The pull feeds: of services, and of companies as customers. */
export async function createChangeFeed(
  core: Core,
  needs: {
    backlogs: Backlogs;
    backlogClaims: Claims;
    logs: ServiceLogs;
    services: Services;
    pausedDatabase: Database;
  },
) {
  const claims = createClaims(core, feeds);
  await Promise.all([claims.start(), needs.backlogClaims.start()]);
  const changes = new Changes({ ...core, ...needs, claims });
  const changePurge = new ChangePurge({ ...core, ...needs, database: needs.pausedDatabase });
  const responses = new ResponseTracker(core);
  const domain: Domain = {
    routes(app) {
      responses.attach(app.server);
      app.holdsOpen.push(() => responses.isWaiting);
      app.addHook('preClose', () => responses.end());
      changeRoutes(app, { changes, responses });
    },
    sweeps: [{ name: 'changes', run: (stopping) => changePurge.run(stopping) }],
    async stop() {
      await responses.stop();
      await Promise.all([claims.stop(), needs.backlogClaims.stop()]);
    },
  };
  return { changes, changePurge, claims, responses, domain };
}
