import { limits } from '@symbolon/protocol';
import type { CallPresence } from '../../../access/presence.ts';
import { type Core, type Domain, expirySweep, type NeedsOf } from '../../domain.ts';
import { ConnectRequestAnswers } from './answers.ts';
import { ConnectRequests } from './connect-requests.ts';
import { connectRequestRoutes, staffConnectRequestRoutes } from './routes.ts';
import { connectRequestTables } from './tables.ts';

/** Services ask people to connect. */
export function createConnectRequests(
  core: Core,
  needs: NeedsOf<typeof ConnectRequests> & NeedsOf<typeof ConnectRequestAnswers> & { presence: CallPresence },
) {
  const connectRequests = new ConnectRequests({ ...core, ...needs });
  const answers = new ConnectRequestAnswers({ ...core, ...needs });
  // A request counts against the next ones as long as it could have been open.
  const decided = { table: 'connect_requests', keptMs: limits.connectRequestLifetimeMs } as const;
  const sweepDecided = (value: string) =>
    expirySweep(core, `${value} connect requests`, { ...decided, only: { column: 'state', value } });
  const domain: Domain = {
    tables: connectRequestTables,
    routes(app) {
      connectRequestRoutes(app, { ...needs, connectRequests, answers });
      staffConnectRequestRoutes(app, { connectRequests });
    },
    sweeps: [
      { name: 'open connect requests', run: (stopping) => connectRequests.expire(stopping) },
      sweepDecided('accepted'),
      sweepDecided('rejected'),
    ],
  };
  return { answers, domain };
}
