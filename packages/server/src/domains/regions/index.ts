import type { FieldTypeRegistry } from '@symbolon/field-types';
import { noPeers } from '../../access/peers.ts';
import { Worker } from '../../core/worker.ts';
import type { Database } from '../../db/database.ts';
import type { Outbox } from '../../events/outbox.ts';
import type { Presence } from '../accounts/index.ts';
import type { PublishedSeals } from '../agreements/index.ts';
import type { Grants, PublicKeys } from '../clients/index.ts';
import type { Reauthentication, Sessions } from '../companies/index.ts';
import type { Claims, DevicesSignals, Leases, WebhookDelivery } from '../delivery/index.ts';
import { type Core, combine, type Domain } from '../domain.ts';
import type { Audit, Blobs, Maintenance, OperatorActs } from '../operations/index.ts';
import type { CompanyDeletionHook, Endings } from '../participation.ts';
import type { PersonDeletion } from '../people/index.ts';
import type { Connections, LiveSlots } from '../sharing/index.ts';
import { Backfill } from './backfill.ts';
import { receiveCompanies } from './companies/index.ts';
import { createDirectory } from './directory/index.ts';
import { directoryTables } from './directory/tables.ts';
import { Forwarding } from './forward/forwarding.ts';
import { forwardFederatedRoutes } from './forward/routes.ts';
import { createDirectoryKeeper } from './front-door.ts';
import { showMessages } from './messages/gauges.ts';
import { HeldMessages } from './messages/held-messages.ts';
import { keptMessages } from './messages/kept-messages.ts';
import { MessageSender } from './messages/message-sender.ts';
import { heldMessageRoutes, messageRoutes } from './messages/routes.ts';
import { messageTables } from './messages/tables.ts';
import { CompanyReturn } from './moves/company-return.ts';
import { createMoves, createOneRegionMoves } from './moves/index.ts';
import { moveTables } from './moves/tables.ts';
import { openRegions } from './open.ts';
import { peersProbe } from './peers-probe.ts';
import { createPeople } from './people/index.ts';
import { remotePersonTables } from './people/tables.ts';
import { oneRegion } from './ports.ts';

export { openFrontDoor } from './front-door.ts';
export type { Returned, ReturnSource } from './moves/company-return.ts';
export type { RegionPorts } from './ports.ts';

/** A backfill that failed continues 10 minutes later. */
const BACKFILL_PAUSE_MS = 10 * 60_000;

/** The schema is the same for one region and for several. */
const regionTables = [...remotePersonTables, ...messageTables, ...directoryTables, ...moveTables];

interface Needs {
  readonly outbox: Outbox;
  readonly audit: Audit;
  readonly acts: OperatorActs;
  readonly maintenance: Maintenance;
  readonly pausedDatabase: Database;
  readonly blobs: Blobs;
  readonly registry: FieldTypeRegistry;
  readonly personDeletion: PersonDeletion;
  readonly presence: Presence;
  readonly reauthentication: Reauthentication;
  readonly sessions: Sessions;
  readonly grant: Grants;
  readonly signingKeys: PublicKeys;
  readonly publishedSeals: PublishedSeals;
  readonly photos: CompanyDeletionHook;
  readonly endings: Endings;
  readonly connections: Connections;
  readonly liveSlots: LiveSlots;
  readonly personSignals: DevicesSignals;
  readonly claims: Claims;
  readonly backlogClaims: Claims;
  readonly leases: Leases;
  readonly delivery: WebhookDelivery;
}

/** What an operator sees and does of messages that wait. */
const operatedMessages = ({ config }: Core, heldMessages: HeldMessages): Domain => ({
  routes(app) {
    if (config.operatorToken !== undefined) heldMessageRoutes(app, { heldMessages });
  },
});

/** With several regions, everything that asks, receives, answers and works; with one, the routes about moves. */
export async function createRegions(core: Core, needs: Needs) {
  if (core.config.regions.size === 0) {
    const domain = combine(
      createOneRegionMoves(core, { ...core, ...needs }),
      operatedMessages(core, new HeldMessages({ ...core, ...needs })),
      { tables: regionTables },
    );
    const companyReturn = new CompanyReturn({ ...core, ...needs, keys: core.secrets.keys });
    return { several: undefined, companyReturn, peerTokens: noPeers, fills: oneRegion, domain };
  }
  const opened = openRegions(core);
  const own = { ...needs, ...opened };
  receiveCompanies(core, own);
  const messageSender = new MessageSender({ ...core, ...own, database: needs.pausedDatabase });
  showMessages(core);
  const { slotCheck, domain: people } = createPeople(core, own);
  const moves = createMoves(core, { ...core, ...own });
  const paused = { ...core, database: needs.pausedDatabase };
  const nameBackfill = new Backfill({
    ...paused,
    setting: 'directory.introduced',
    parts: ['company', 'person'] as const,
    sendPage: (kind, after, limit) => opened.names.sendPage(kind, after, limit),
  });
  const companyBackfill = new Backfill({
    ...paused,
    setting: 'regions.introduced',
    parts: core.regions.others,
    sendPage: (region, after, limit) => opened.companyReplicas.sendPage(region, after, limit),
  });
  const backfill = new Worker({
    ...core,
    name: 'backfill of regions',
    pauseMs: BACKFILL_PAUSE_MS,
    async work(stopping) {
      await nameBackfill.run(stopping);
      await companyBackfill.run(stopping);
    },
  });
  const forwarding = new Forwarding({ ...core, ...own, ...moves, messageSender });
  const domain = combine(
    { hooks: (app) => forwardFederatedRoutes(app, forwarding) },
    await createDirectory(core, own),
    { routes: (app) => messageRoutes(app, own), workers: [messageSender] },
    keptMessages(core, { messageSender, database: needs.pausedDatabase }),
    operatedMessages(core, new HeldMessages({ ...core, ...needs, messageSender })),
    people,
    { tables: regionTables, workers: [backfill] },
    createDirectoryKeeper(core, opened),
    { probes: [peersProbe(core, opened)] },
    moves.domain,
  );
  const several = { ...opened, ...moves, messageSender, slotCheck, nameBackfill, companyBackfill };
  return { several, companyReturn: undefined, peerTokens: opened.peerTokens, fills: opened.ports, domain };
}
