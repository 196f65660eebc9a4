import type { FastifyBaseLogger } from 'fastify';
import type { Clock } from '../../../core/clock.ts';
import type { KeyRing } from '../../../core/key-ring.ts';
import type { Regions } from '../../../core/regions.ts';
import type { Timers } from '../../../core/timers.ts';
import type { Database } from '../../../db/database.ts';
import type { Table } from '../../../db/table-registry.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { FeedClaims } from '../../delivery/change-feed/claims.ts';
import type { WebhookDelivery } from '../../delivery/webhooks/delivery.ts';
import type { Leases } from '../../delivery/webhooks/leases.ts';
import { INTERRUPT_MARK, WEBHOOK_CHANNEL } from '../../delivery/webhooks/signals.ts';
import type { CompanyPart } from '../../identity/ports.ts';
import type { Blobs } from '../../operations/blobs/blobs.ts';
import type { Audit } from '../../operations/journal/audit.ts';
import type { OperatorActs } from '../../operations/journal/operator-acts.ts';
import type { LiveRegistry } from '../../registry/live-registry.ts';
import type { LiveSlots } from '../../sharing/connections/live-slots.ts';
import type { Directory } from '../directory/directory.ts';
import type { Peers } from '../directory/peers.ts';
import type { RegionMessages } from '../messages/messages.ts';
import { Arrivals } from './arrivals.ts';
import { Departures, type Steps } from './departures.ts';
import { type Destination, peerDestination } from './destination.ts';
import { Holds } from './hold.ts';

/** What a region needs to let companies go and to take them in. */
export function createDepartures(deps: {
  database: Database;
  tables: readonly Table[];
  blobs: Blobs;
  registry: Pick<LiveRegistry, 'has'>;
  keys: Pick<KeyRing, 'has'>;
  audit: Audit;
  acts: OperatorActs;
  clock: Clock;
  timers: Timers;
  log: FastifyBaseLogger;
  peers: Peers;
  regions: Pick<Regions, 'own'>;
  directory: Directory;
  messages: RegionMessages;
  parts: readonly CompanyPart[];
  claims: FeedClaims;
  leases: Leases;
  instance: string;
  delivery: Pick<WebhookDelivery, 'settle'>;
  liveSlots: LiveSlots;
  outbox: Outbox;
  /** For tests: another way there, and what fails when. */
  destinationOf?: (region: string) => Destination;
  steps?: Steps;
}) {
  const { database, tables, clock, timers, log, acts, audit, blobs, peers, claims, leases } = deps;
  const holds = new Holds({
    database,
    tables,
    timers,
    log,
    senders: {
      lease: (webhookId) => leases.acquire(webhookId),
      interrupt: (webhookId) =>
        database.write((writer) => database.notify(writer, WEBHOOK_CHANNEL, `${webhookId}${INTERRUPT_MARK}`)),
      settleDeliveries: () => deps.delivery.settle(),
      holdFeeds: (feeds) => claims.hold(feeds),
      freeFeeds: (feeds) => claims.free(feeds),
      feedsSettled: (feeds) => claims.settled(feeds),
    },
  });
  const departures = new Departures({
    database,
    holds,
    destinationOf: deps.destinationOf ?? ((region) => peerDestination(peers, region)),
    directory: deps.directory,
    messages: deps.messages,
    parts: deps.parts,
    acts,
    clock,
    timers,
    log,
    ownRegion: deps.regions.own,
    worker: deps.instance,
    ...(deps.steps === undefined ? {} : { steps: deps.steps }),
  });
  const arrivals = new Arrivals({
    database,
    tables,
    blobs,
    registry: deps.registry,
    hasKey: (version) => deps.keys.has(version),
    audit,
    acts,
    clock,
    liveSlots: deps.liveSlots,
    outbox: deps.outbox,
    async ask(region, moveId) {
      const path = `/internal/moves/${moveId}`;
      return (await peers.ask<{ state: string }>({ region }, { method: 'GET', path })).state;
    },
    async fetch(region, moveId, hash) {
      const path = `/internal/moves/${moveId}/blobs/${hash}`;
      const answer = await peers.call({ region }, { method: 'GET', path, timeoutMs: BLOB_MS });
      if (answer.status !== 200) throw new Error(`Blob ${hash} was answered ${answer.status}.`);
      return answer.bytes;
    },
  });
  return { departures, arrivals, holds };
}

const BLOB_MS = 60_000;
