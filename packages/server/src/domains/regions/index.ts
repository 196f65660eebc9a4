import { Worker } from '../../core/worker.ts';
import type { Database } from '../../db/database.ts';
import type { Outbox } from '../../events/outbox.ts';
import type { Grants } from '../clients/tokens/grant.ts';
import type { Claims } from '../delivery/change-feed/claims.ts';
import type { WebhookDelivery } from '../delivery/webhooks/delivery.ts';
import type { Leases } from '../delivery/webhooks/leases.ts';
import { type Core, combine, type Domain } from '../domain.ts';
import type { Proofs } from '../identity/portal/proofs.ts';
import type { Sessions } from '../identity/portal/sessions.ts';
import type { Blobs } from '../operations/blobs/blobs.ts';
import type { Audit } from '../operations/journal/audit.ts';
import type { OperatorActs } from '../operations/journal/operator-acts.ts';
import type { Maintenance } from '../operations/maintenance/maintenance.ts';
import type { Photos } from '../profile/photos/photos.ts';
import type { LiveRegistry } from '../registry/live-registry.ts';
import type { Connections } from '../sharing/connections/connections.ts';
import type { LiveSlots } from '../sharing/connections/live-slots.ts';
import { GoneCompanies } from './companies/gone-companies.ts';
import { Introductions } from './companies/introductions.ts';
import { fenceDepartures } from './directory/fence.ts';
import { peerTokenRoutes } from './directory/grant-routes.ts';
import { homeRoutes } from './directory/home-routes.ts';
import { NameIntroductions } from './directory/name-introductions.ts';
import { directoryTables } from './directory/tables.ts';
import { CatchUp } from './forward/catch-up.ts';
import { Forwarding } from './forward/forwarding.ts';
import { forwardFederatedRoutes } from './forward/routes.ts';
import { createDirectoryKeeper } from './front-door.ts';
import { MessageSender } from './messages/message-sender.ts';
import { messageRoutes } from './messages/routes.ts';
import { messageTables } from './messages/tables.ts';
import { createMoves } from './moves/index.ts';
import { createOneRegionMoves } from './moves/one-region.ts';
import { moveTables } from './moves/tables.ts';
import type { OpenedRegions } from './open.ts';
import { ReplicaReceiver } from './people/replica-receiver.ts';
import { peopleRegionRoutes } from './people/routes.ts';
import { SlotCheck } from './people/slot-check.ts';
import { remotePersonTables } from './people/tables.ts';

export { createFrontDoor } from './front-door.ts';
export { openRegions } from './open.ts';
export { oneRegion } from './ports.ts';

/** Those that were added to the configuration are told of who was there before them. */
const BACKFILL_PAUSE_MS = 10 * 60_000;

/** The schema is the same for one region and for several. */
export const regionTables = [...remotePersonTables, ...messageTables, ...directoryTables, ...moveTables];

interface Needs {
  readonly outbox: Outbox;
  readonly audit: Audit;
  readonly acts: OperatorActs;
  readonly maintenance: Maintenance;
  readonly pausedDatabase: Database;
  readonly blobs: Blobs;
  readonly registry: LiveRegistry;
  readonly proofs: Proofs;
  readonly sessions: Sessions;
  readonly grant: Grants;
  readonly photos: Photos;
  readonly connections: Connections;
  readonly followers: LiveSlots;
  readonly claims: Claims;
  readonly backlogClaims: Claims;
  readonly leases: Leases;
  readonly delivery: WebhookDelivery;
}

/** Several regions: messages between them, calls that are answered elsewhere, companies that move. */
export async function createRegions(core: Core, opened: OpenedRegions | undefined, needs: Needs) {
  if (opened === undefined) {
    return { several: undefined, domain: createOneRegionMoves(core, needs) };
  }
  const own = { ...core, ...needs, ...opened, liveSlots: needs.followers };
  const { messages, peers } = opened;
  opened.feeds.receive(needs.outbox);
  opened.auditLogs.receive(needs.audit);
  new ReplicaReceiver(own);
  new GoneCompanies(own).receive(messages);
  const messageSender = new MessageSender({ ...own, database: needs.pausedDatabase });
  const forwarding = new Forwarding({ ...own, catchUp: new CatchUp({ ...core, sender: messageSender }) });
  const slotCheck = new SlotCheck({ ...own, database: needs.pausedDatabase });
  const names = new NameIntroductions(own);
  const companies = new Introductions({ ...own, database: needs.pausedDatabase });
  const moves = await createMoves(core, own);
  const isSession = async (token: string) =>
    ((await needs.sessions.find(token, 'token')) ?? (await needs.sessions.find(token, 'cookie'))) !==
    undefined;
  const backfill = new Worker({
    ...core,
    name: 'backfill of regions',
    pauseMs: BACKFILL_PAUSE_MS,
    async work(stopping) {
      await names.run(stopping);
      await companies.run(stopping);
    },
  });
  const calls: Domain = {
    hooks(app) {
      forwardFederatedRoutes(app, { forwarding });
      fenceDepartures(app, own);
    },
    routes(app) {
      messageRoutes(app, { regionMessages: messages });
      peopleRegionRoutes(app, own);
      homeRoutes(app, { names: opened.names, isSession });
      peerTokenRoutes(app, needs);
    },
    workers: [messageSender, backfill],
    sweeps: [{ name: 'slots in other regions', run: (stopping) => slotCheck.run(stopping) }],
    stop: () => peers.stop(),
  };
  const keeper = createDirectoryKeeper(core, opened);
  return {
    several: {
      ...opened,
      ...moves,
      messageSender,
      forwarding,
      slotCheck,
      nameIntroductions: names,
      introductions: companies,
    },
    domain: combine(calls, keeper, moves.domain),
  };
}
