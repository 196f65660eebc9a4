import { Worker } from '../../core/worker.ts';
import type { Database } from '../../db/database.ts';
import type { Outbox } from '../../events/outbox.ts';
import type { Grants } from '../clients/index.ts';
import type { Claims, Leases, WebhookDelivery } from '../delivery/index.ts';
import { type Core, combine, type Domain } from '../domain.ts';
import type { Reauthentication, Sessions } from '../identity/index.ts';
import type { Audit, Blobs, Maintenance, OperatorActs } from '../operations/index.ts';
import type { Photos } from '../profile/index.ts';
import type { LiveRegistry } from '../registry/index.ts';
import type { Connections, LiveSlots } from '../sharing/index.ts';
import { GoneCompanies, Introductions } from './companies/index.ts';
import {
  directoryTables,
  fenceDepartures,
  homeRoutes,
  NameIntroductions,
  peerTokenRoutes,
} from './directory/index.ts';
import { CatchUp, Forwarding, forwardFederatedRoutes } from './forward/index.ts';
import { createDirectoryKeeper } from './front-door.ts';
import { MessageSender, messageRoutes, messageTables } from './messages/index.ts';
import { createMoves, createOneRegionMoves, moveTables } from './moves/index.ts';
import type { OpenedRegions } from './open.ts';
import { peopleRegionRoutes, ReplicaReceiver, remotePersonTables, SlotCheck } from './people/index.ts';

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
  readonly reauthentication: Reauthentication;
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
