import type { CallPresence } from '../../access/presence.ts';
import type { Outbox } from '../../events/outbox.ts';
import type { PersonSignals } from '../../events/person-signals.ts';
import { type Core, combine, expirySweep } from '../domain.ts';
import type { Audit, Jobs, OperatorActs } from '../operations/index.ts';
import type { PersonConnections } from '../sharing/index.ts';
import { Broadcasts } from './broadcasts/broadcasts.ts';
import { broadcastRoutes, staffBroadcastRoutes } from './broadcasts/routes.ts';
import { broadcastTables } from './broadcasts/tables.ts';
import { askedConnections } from './connect-requests/answers.ts';
import { createConnectRequests } from './connect-requests/index.ts';
import { Inbox } from './messages/inbox.ts';
import { PersonMessages } from './messages/person-messages.ts';
import { personMessageRoutes, serviceMessageRoutes, staffMessageRoutes } from './messages/routes.ts';
import { ServiceMessages } from './messages/service-messages.ts';
import { messageTables } from './messages/tables.ts';
import { standingRoutes } from './standing/routes.ts';
import { MessagingStanding } from './standing/standing.ts';
import { standingTables } from './standing/tables.ts';
import { templateRoutes } from './templates/routes.ts';
import { templateTables } from './templates/tables.ts';
import { ReplyTemplates } from './templates/templates.ts';

/** What services and their customers say to each other: messages, broadcasts, requests to connect. */
export function createConversation(
  core: Core,
  needs: {
    outbox: Outbox;
    audit: Audit;
    jobs: Jobs;
    acts: OperatorActs;
    presence: CallPresence;
    personSignals: PersonSignals;
    personConnections: PersonConnections;
  },
) {
  const standing = new MessagingStanding({ ...core, ...needs });
  const own = { ...core, ...needs, standing };
  const broadcasts = new Broadcasts({ ...own, broadcastPeople: core.config.broadcastPeople });
  const serviceMessages = new ServiceMessages(own);
  const inbox = new Inbox(core);
  const personMessages = new PersonMessages(own);
  const connectRequests = createConnectRequests(core, needs);
  return {
    connectRequests: connectRequests.answers,
    fills: { askedConnections },
    domain: combine(
      {
        tables: standingTables,
        routes(app) {
          if (core.config.operatorToken !== undefined) standingRoutes(app, { standing });
        },
      },
      {
        tables: broadcastTables,
        routes(app) {
          broadcastRoutes(app, { broadcasts });
          staffBroadcastRoutes(app, { broadcasts });
        },
        sweeps: [
          expirySweep(core, 'broadcasts', 'broadcasts'),
          expirySweep(core, 'reads of broadcasts', 'broadcast_reads'),
        ],
      },
      {
        tables: messageTables,
        routes(app) {
          serviceMessageRoutes(app, { messages: serviceMessages });
          staffMessageRoutes(app, { messages: serviceMessages, inbox });
          personMessageRoutes(app, { messages: personMessages });
        },
        endsWith: [{ login: inbox }],
      },
      {
        tables: templateTables,
        routes: (app) => templateRoutes(app, { templates: new ReplyTemplates(core) }),
      },
      connectRequests.domain,
      { endsWith: [{ person: connectRequests.answers }] },
    ),
  };
}
