import type { Outbox } from '../../events/outbox.ts';
import type { PersonSignals, Presence } from '../accounts/index.ts';
import { type Core, combine } from '../domain.ts';
import type { Jobs, OperatorActs } from '../operations/index.ts';
import type { PersonConnections } from '../sharing/index.ts';
import { createBroadcasts } from './broadcasts/index.ts';
import { askedConnections, createConnectRequests } from './connect-requests/index.ts';
import { createMessages } from './messages/index.ts';
import { createStanding } from './standing/index.ts';

/** What services and their customers say to each other: messages, broadcasts, requests to connect. */
export function createConversation(
  core: Core,
  needs: {
    outbox: Outbox;
    jobs: Jobs;
    acts: OperatorActs;
    presence: Presence;
    personSignals: PersonSignals;
    personConnections: PersonConnections;
  },
) {
  const { standing, domain } = createStanding(core, needs);
  const own = { ...needs, standing };
  const connectRequests = createConnectRequests(core, needs);
  return {
    connectRequests: connectRequests.answers,
    fills: { askedConnections },
    domain: combine(domain, createBroadcasts(core, own), createMessages(core, own), connectRequests.domain, {
      endsWith: [{ person: connectRequests.answers }],
    }),
  };
}
