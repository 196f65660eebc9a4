import type { GeneratedAlways } from 'kysely';
import { defineTables } from '../db/table-registry.ts';

declare module '../db/tables.ts' {
  interface Tables {
    changes: ChangeTable;
    webhook_events: WebhookEventTable;
    event_watches: EventWatchRow;
    recent_events: RecentEventRow;
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

/** Who drains a row. Used on PostgreSQL; the only process of SQLite keeps it in memory. */
interface ClaimColumns {
  /** Who settles the claim: the instance that sends the row, or 'client …', which confirms by `after`. */
  claim_owner: string | null;
  claimed_until: number | null;
  /** The client that was given the row, and the number of the answer it was first given in. */
  given_to: string | null;
  given_in: number | null;
}

/** The columns of a claim. What a client was given and has not confirmed, it is given again where its company moves to. */
export const claimColumns = ['claim_owner', 'claimed_until', 'given_to', 'given_in'] as const;

/** The pull feeds: of services, and the account feeds of companies that are customers. */
interface ChangeTable extends EventColumns, ClaimColumns {
  /** Whose feed: the id of a service, or of the company whose account feed it is; then `company_id` is that company. */
  feed: string;
  /** Rows of one key replace each other (wire 6.2 rules 2, 3 and 5). */
  collapse_key: string;
}

/** The queues of all webhooks. */
export interface WebhookEventTable extends EventColumns, ClaimColumns {
  webhook_id: string;
}

/** That somebody watches the events of a service: the latest are kept until then. */
interface EventWatchRow {
  company_id: string;
  service_id: string;
  expires_at: number;
}

/** An event that was raised while somebody watched, for people who look. It has no value. */
export interface RecentEventRow extends Omit<EventColumns, 'seq' | 'request_field_id' | 'payload'> {}

export const eventTables = defineTables({
  changes: {
    key: ['seq'],
    belongsTo: { companies: 'company_id', services: 'feed' },
    manyOf: ['services'],
    move: {
      feed: 'feed',
      notCompared: ['seq', ...claimColumns],
      emptied: claimColumns,
      bulk: true,
    },
    writtenBy: ['delivery'],
    readBy: ['operator'],
  },
  webhook_events: {
    key: ['seq'],
    belongsTo: { companies: 'company_id', webhooks: 'webhook_id' },
    manyOf: ['webhooks'],
    move: { feed: 'webhook_id', notCompared: ['seq', ...claimColumns], emptied: claimColumns, bulk: true },
    writtenBy: ['delivery'],
    readBy: ['operator', 'regions'],
  },
  event_watches: {
    key: ['service_id'],
    belongsTo: { companies: 'company_id', services: 'service_id' },
    move: 'stays',
    writtenBy: ['delivery'],
  },
  recent_events: {
    key: ['company_id', 'service_id', 'id'],
    belongsTo: { companies: 'company_id', services: 'service_id' },
    move: 'stays',
    readBy: ['delivery'],
  },
});
