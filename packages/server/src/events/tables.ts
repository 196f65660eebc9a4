import type { GeneratedAlways } from 'kysely';
import { defineTables } from '../db/table-registry.ts';

declare module '../db/tables.ts' {
  interface Tables {
    changes: ChangeTable;
    webhook_events: WebhookEventTable;
  }
}

/** An event, as the feed and the queues of webhooks hold it; `seq` gives its order. */
interface EventColumns {
  seq: GeneratedAlways<number>;
  id: string;
  company_id: string;
  service_id: string;
  connection_id: string | null;
  customer_id: string;
  customer_type: 'person' | 'company';
  share_code: string | null;
  event: string;
  request_field_id: string | null;
  slug: string | null;
  /** JSON of further members. */
  payload: string;
  at: number;
}

/** The pull feeds: of services, and the account feeds of companies that are customers. */
export interface ChangeTable extends EventColumns {
  /** Whose feed: the id of a service, or of the company whose account feed it is; then `company_id` is that company. */
  feed: string;
  /** Rows of one key replace each other (wire 6.2 rules 2, 3 and 5). */
  collapse_key: string;
  /** Which instance is sending the row, and until when that is believed (PostgreSQL). */
  claim_owner: string | null;
  claimed_until: number | null;
}

/** The queues of all webhooks. */
export interface WebhookEventTable extends EventColumns {
  webhook_id: string;
}

export const eventTables = defineTables({
  changes: {
    key: ['seq'],
    belongsTo: { companies: 'company_id', services: 'feed' },
    move: {
      feed: 'feed',
      notCompared: ['seq', 'claim_owner', 'claimed_until'],
      emptied: ['claim_owner', 'claimed_until'],
      bulk: true,
    },
    writtenBy: ['delivery'],
    readBy: ['operator'],
  },
  webhook_events: {
    key: ['seq'],
    belongsTo: { companies: 'company_id', services: 'service_id', webhooks: 'webhook_id' },
    move: { feed: 'webhook_id', notCompared: ['seq'], bulk: true },
    writtenBy: ['delivery'],
    readBy: ['operator', 'regions'],
  },
});
