import type { Database } from '../../db/database.ts';
import { type Core, combine } from '../domain.ts';
import type { Jobs, Maintenance, ServiceLogs } from '../operations/index.ts';
import type { Services } from '../services/index.ts';
import { createAccountFeed } from './account-feed/index.ts';
import { createChangeFeed } from './change-feed/index.ts';
import { createPersonSignals } from './person-signals/index.ts';
import type { SignalsElsewhere } from './ports.ts';
import { createPush } from './push/index.ts';
import type { OutgoingNetwork, WebhookPace } from './webhooks/index.ts';
import { createWebhooks } from './webhooks/index.ts';

export type { Claims } from './change-feed/index.ts';
export type { DevicesSignals } from './person-signals/index.ts';
export { noSignalsElsewhere, type SignalsElsewhere } from './ports.ts';
export {
  INTERRUPT_MARK,
  type Leases,
  type OutgoingNetwork,
  WEBHOOK_CHANNEL,
  type WebhookDelivery,
  type WebhookPace,
} from './webhooks/index.ts';

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
  const accountFeed = createAccountFeed(core, feed);
  const signals = await createPersonSignals(core, needs);
  const push = createPush(core, { ...needs, ...signals });
  return {
    ...webhooks,
    ...feed,
    ...signals,
    ...push,
    fills: { personSignals: signals.personSignals },
    domain: combine(webhooks.domain, feed.domain, accountFeed, push.domain, signals.domain, {
      endsWith: [{ session: push.devices }],
    }),
  };
}
