import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { KeyRing } from '../../../core/key-ring.ts';
import type { Regions } from '../../../core/regions.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { Claims, Leases, WebhookDelivery } from '../../delivery/index.ts';
import { INTERRUPT_MARK, WEBHOOK_CHANNEL } from '../../delivery/index.ts';
import type { Core } from '../../domain.ts';
import type { Audit, Blobs, OperatorActs } from '../../operations/index.ts';
import type { CompanyDeletionHook } from '../../participation.ts';
import type { LiveSlots } from '../../sharing/index.ts';
import type { Directory } from '../directory/directory.ts';
import type { Peers } from '../directory/peers.ts';
import type { MessageQueue } from '../messages/message-queue.ts';
import { type Destination, peerDestination } from './destination.ts';
import { Freezer } from './freeze.ts';
import { MoveEndings } from './move-endings.ts';
import { MoveLeases } from './move-lease.ts';
import { MoveSource, type Steps } from './move-source.ts';
import { MoveTarget } from './move-target.ts';
import { shapesOf, type TableShape } from './table-store.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'instance' | 'log' | 'tables' | 'timers'> {
  readonly blobs: Blobs;
  readonly registry: Pick<FieldTypeRegistry, 'has'>;
  readonly keys: Pick<KeyRing, 'has'>;
  readonly audit: Audit;
  readonly acts: OperatorActs;
  readonly peers: Peers;
  readonly regions: Pick<Regions, 'own'>;
  readonly directory: Directory;
  readonly messages: MessageQueue;
  readonly parts: readonly CompanyDeletionHook[];
  readonly claims: Claims;
  readonly backlogClaims: Claims;
  readonly leases: Leases;
  readonly delivery: Pick<WebhookDelivery, 'settle'>;
  readonly liveSlots: LiveSlots;
  readonly outbox: Outbox;
  /** For tests: another destination, and a failure at a step. */
  readonly destinationOf?: (region: string) => Destination;
  readonly steps?: Steps;
}

/** Both ends of moves: companies leave this region, and companies arrive. */
export function createCompanyMoves(deps: Deps) {
  const { database, peers, claims } = deps;
  let known: Promise<readonly TableShape[]> | undefined;
  const shapes = () => (known ??= shapesOf(database, deps.tables));
  const freezer = new Freezer({
    ...deps,
    shapes,
    deliveries: {
      async lease(webhookId) {
        const lease = await deps.leases.acquire(webhookId);
        if (lease === undefined || (await deps.backlogClaims.settled([webhookId]))) return lease;
        await lease.release();
        return undefined;
      },
      interrupt: (webhookId) =>
        database.write((writer) => database.notify(writer, WEBHOOK_CHANNEL, `${webhookId}${INTERRUPT_MARK}`)),
      settleDeliveries: () => deps.delivery.settle(),
      pauseFeeds: (feeds) => claims.pause(feeds),
      resumeFeeds: (feeds) => claims.resume(feeds),
      feedsSettled: (feeds) => claims.settled(feeds),
    },
  });
  const own = {
    ...deps,
    shapes,
    freezer,
    leases: new MoveLeases({ ...deps, owner: deps.instance }),
    ownRegion: deps.regions.own,
    steps: deps.steps ?? (async () => {}),
  };
  const moveSource = new MoveSource({
    ...own,
    endings: new MoveEndings(own),
    destinationOf: deps.destinationOf ?? ((region) => peerDestination(peers, region)),
  });
  const moveTarget = new MoveTarget({
    ...deps,
    shapes,
    hasKey: (version) => deps.keys.has(version),
    async stateAtSource(region, moveId) {
      const path = `/internal/moves/${moveId}`;
      return (await peers.ask<{ state: string }>({ region }, { method: 'GET', path })).state;
    },
    async fetchBlob(region, moveId, hash) {
      const path = `/internal/moves/${moveId}/blobs/${hash}`;
      const answer = await peers.call({ region }, { method: 'GET', path, timeoutMs: BLOB_MS });
      if (answer.status !== 200) throw new Error(`Blob ${hash} was answered ${answer.status}.`);
      return answer.bytes;
    },
  });
  return { moveSource, moveTarget, freezer };
}

const BLOB_MS = 60_000;
