import type { Database } from '../../db/database.ts';
import { type Core, combine } from '../domain.ts';
import type { Jobs, Maintenance, ServiceLogs } from '../operations/index.ts';
import type { Services } from '../services/index.ts';
import { customerChangeRoutes } from './account-feed/routes.ts';
import { createChangeFeed } from './change-feed/index.ts';
import { createPersonSignals } from './person-signals/index.ts';
import type { SignalsElsewhere } from './ports.ts';
import { createPush } from './push/index.ts';
import { createRecentEvents } from './recent-events/index.ts';
import type { OutgoingNetwork } from './webhooks/index.ts';
import { createWebhooks } from './webhooks/index.ts';
import type { WebhookPace } from './webhooks/pace.ts';

export type { Claims } from './change-feed/claims.ts';
export type { DevicesSignals } from './person-signals/person-signals.ts';
export { noSignalsElsewhere, type SignalsElsewhere } from './ports.ts';
export type { WebhookDelivery } from './webhooks/delivery.ts';
export type { OutgoingNetwork } from './webhooks/index.ts';
export type { Leases } from './webhooks/leases.ts';
export type { WebhookPace } from './webhooks/pace.ts';
export { INTERRUPT_MARK, WEBHOOK_CHANNEL } from './webhooks/signals.ts';

/** How companies hear of changes: change feeds that they drain, webhooks that are sent to them. */
export async function createDelivery(
  core: Core,
  needs: {
    logs: ServiceLogs;
    jobs: Jobs;
    services: Services;
    maintenance: Maintenance;
    pausedDatabase: Database;
    signalsElsewhere: SignalsElsewhere;
    /** For tests alone: wire 3.3 fixes how webhooks are timed. */
    pace?: WebhookPace | undefined;
    outgoing?: OutgoingNetwork | undefined;
  },
) {
  const webhooks = createWebhooks(core, needs);
  const feed = await createChangeFeed(core, { ...needs, ...webhooks });
  const signals = await createPersonSignals(core, needs);
  const push = createPush(core, { ...needs, ...signals });
  return {
    ...webhooks,
    ...feed,
    ...signals,
    ...push,
    fills: { personSignals: signals.personSignals },
    domain: combine(
      webhooks.domain,
      feed.domain,
      { routes: (app) => customerChangeRoutes(app, feed) },
      createRecentEvents(core, needs),
      push.domain,
      signals.domain,
      {
        endsWith: [{ session: push.devices }],
      },
    ),
  };
}
