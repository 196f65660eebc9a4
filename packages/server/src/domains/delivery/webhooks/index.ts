import { version } from '../../../core/version.ts';
import type { Database } from '../../../db/database.ts';
import { DnsResolver } from '../../../outgoing/resolver.ts';
import { OutgoingSender, type OutgoingSenderOptions } from '../../../outgoing/sender.ts';
import type { Core, Domain } from '../../domain.ts';
import type { Jobs, Maintenance, ServiceLogs } from '../../operations/index.ts';
import type { Services } from '../../services/index.ts';
import { backlogs } from '../change-feed/event-queues.ts';
import { createClaims } from '../change-feed/index.ts';
import { Acknowledgements } from './acknowledgements.ts';
import { Attempts } from './attempts.ts';
import { WebhookDelivery } from './delivery.ts';
import { WebhookDispatcher } from './dispatcher.ts';
import { type Leases, MemoryLeases, SharedLeases } from './leases.ts';
import { ManualDrain } from './manual-drain.ts';
import { type WebhookPace, webhookPace } from './pace.ts';
import { webhookDeliveryRoutes, webhookRoutes } from './routes.ts';
import { StaleQueues } from './stale-queues.ts';
import { webhookTables } from './tables.ts';
import { WebhookDeletions } from './webhook-deletion.ts';
import { WebhookPost } from './webhook-post.ts';
import { Webhooks } from './webhooks.ts';

/** Where connections lead and which certificates count: tests lead public addresses to this machine. */
export type OutgoingNetwork = Pick<OutgoingSenderOptions, 'dial' | 'ca'>;

/** Webhooks: their configuration, their queues and the workers that deliver. */
export function createWebhooks(
  core: Core,
  needs: {
    logs: ServiceLogs;
    jobs: Jobs;
    services: Services;
    maintenance: Maintenance;
    pausedDatabase: Database;
    pace?: WebhookPace | undefined;
    outgoing?: OutgoingNetwork | undefined;
  },
) {
  const { config, database, instance } = core;
  const { pace = webhookPace, pausedDatabase } = needs;
  const sender = new OutgoingSender({
    ...core,
    ...needs.outgoing,
    resolver: new DnsResolver({ ...core, servers: config.dnsServers }),
    allowLoopback: config.dangerouslyAllowLoopbackWebhooks,
    timeoutMs: pace.postTimeoutMs,
    // A 200 is a delivery whatever follows it (wire 6.3).
    cutsLongAnswers: true,
  });
  const post = new WebhookPost({
    ...core,
    sender,
    headerName: config.headerName,
    userAgent: `Symbolon/${version}`,
  });
  const leases: Leases =
    database.engine === 'sqlite' ? new MemoryLeases() : new SharedLeases({ ...core, pace, owner: instance });
  const attempts = new Attempts(core);
  const acknowledgements = new Acknowledgements({ ...core, database: pausedDatabase, attempts });
  const claims = createClaims(core, backlogs);
  const own = { ...core, ...needs, pace, post, leases, attempts, acknowledgements, claims };
  const webhooks = new Webhooks({
    ...own,
    deletions: new WebhookDeletions(own),
    headerName: config.headerName,
    allowLoopback: config.dangerouslyAllowLoopbackWebhooks,
  });
  const delivery = new WebhookDelivery({ ...own, database: pausedDatabase });
  const dispatcher = new WebhookDispatcher({ ...own, delivery, owner: instance });
  const staleQueues = new StaleQueues({ ...own, database: pausedDatabase });
  const domain: Domain = {
    tables: webhookTables,
    routes(app) {
      webhookRoutes(app, { webhooks });
      webhookDeliveryRoutes(app, { webhooks });
    },
    workers: [dispatcher],
    sweeps: [{ name: 'webhook queues', run: (stopping) => staleQueues.run(stopping) }],
    stop: () => sender.stop(),
  };
  return {
    backlogs: new ManualDrain(own),
    backlogClaims: claims,
    leases,
    delivery,
    dispatcher,
    staleQueues,
    domain,
  };
}
