import type { Database } from '../../db/database.ts';
import { type Core, combine } from '../domain.ts';
import type { Maintenance } from '../operations/maintenance/maintenance.ts';
import type { ServiceLogs } from '../operations/service-log/logs.ts';
import type { Services } from '../services/services/services.ts';
import { createAccountFeed } from './account-feed/index.ts';
import { createChangeFeed } from './change-feed/index.ts';
import { createWebhooks } from './webhooks/index.ts';
import type { WebhookPace } from './webhooks/pace.ts';

/** How companies hear of changes: change feeds that they drain, webhooks that are sent to them. */
export async function createDelivery(
  core: Core,
  needs: {
    logs: ServiceLogs;
    services: Services;
    maintenance: Maintenance;
    pausedDatabase: Database;
    /** For tests alone: wire 3.3 fixes how webhooks are timed. */
    pace?: WebhookPace | undefined;
  },
) {
  const webhooks = createWebhooks(core, needs);
  const feed = await createChangeFeed(core, { ...needs, ...webhooks });
  const accountFeed = createAccountFeed(core, feed);
  return { ...webhooks, ...feed, domain: combine(webhooks.domain, feed.domain, accountFeed) };
}
