import type { Database } from '../../../db/database.ts';
import { Deliveries } from '../../../http/deliveries.ts';
import type { Core, Domain } from '../../domain.ts';
import type { ServiceLogs } from '../../operations/service-log/logs.ts';
import { type Backlogs, Changes } from './changes.ts';
import { LeaseClaims } from './lease-claims.ts';
import { MemoryClaims } from './memory-claims.ts';
import { ChangePurge } from './purge.ts';
import { changeRoutes } from './routes.ts';

/** The pull feeds: of services, and of companies as customers. */
export async function createChangeFeed(
  core: Core,
  needs: { backlogs: Backlogs; logs: ServiceLogs; pausedDatabase: Database },
) {
  const claims =
    core.database.engine === 'sqlite'
      ? new MemoryClaims(core)
      : new LeaseClaims({ ...core, owner: core.instance });
  await claims.start();
  const changes = new Changes({ claims, backlogs: needs.backlogs });
  const changePurge = new ChangePurge({ ...core, ...needs, database: needs.pausedDatabase });
  const deliveries = new Deliveries(core);
  const domain: Domain = {
    routes(app) {
      deliveries.attach(app.server);
      app.addHook('preClose', () => deliveries.settleSent());
      changeRoutes(app, { changes, deliveries });
    },
    sweeps: [{ name: 'changes', run: (stopping) => changePurge.run(stopping) }],
    async stop() {
      await deliveries.settled();
      await claims.stop();
    },
  };
  return { changes, changePurge, claims, deliveries, domain };
}
