import { limits } from '@symbolon/protocol';
import { deleteExpired } from '../../../db/expired-rows.ts';
import type { Presence } from '../../accounts/index.ts';
import type { Core, Domain, NeedsOf } from '../../domain.ts';
import { ConnectRequestAnswers } from './answers.ts';
import { ConnectRequests } from './connect-requests.ts';
import { connectRequestRoutes } from './routes.ts';
import { connectRequestTables } from './tables.ts';

export { askedConnections } from './answers.ts';

/** Services ask people to connect. */
export function createConnectRequests(
  core: Core,
  needs: NeedsOf<typeof ConnectRequests> & NeedsOf<typeof ConnectRequestAnswers> & { presence: Presence },
) {
  const connectRequests = new ConnectRequests({ ...core, ...needs });
  const answers = new ConnectRequestAnswers({ ...core, ...needs });
  const deleteDecided = (state: string, stopping: AbortSignal) =>
    deleteExpired(
      core,
      {
        table: 'connect_requests',
        only: { column: 'state', value: state },
        // A request counts against the next ones as long as it could have been open.
        until: core.clock.now() - limits.connectRequestLifetimeMs,
      },
      stopping,
    );
  const domain: Domain = {
    tables: connectRequestTables,
    routes: (app) => connectRequestRoutes(app, { ...needs, connectRequests, answers }),
    sweeps: [
      { name: 'open connect requests', run: (stopping) => connectRequests.expire(stopping) },
      { name: 'accepted connect requests', run: (stopping) => deleteDecided('accepted', stopping) },
      { name: 'rejected connect requests', run: (stopping) => deleteDecided('rejected', stopping) },
    ],
  };
  return { answers, domain };
}
