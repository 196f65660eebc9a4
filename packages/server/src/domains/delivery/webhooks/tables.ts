import { defineTables, VALUES_PAGE } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    webhooks: WebhookRow;
    webhook_delivered: WebhookDeliveredRow;
    webhook_attempts: WebhookAttemptsRow;
  }
}

/** A webhook: where events of a service are sent, and how that goes (wire 2.8, 3.3). */
export interface WebhookRow {
  company_id: string;
  service_id: string;
  id: string;
  url: string;
  /** JSON array of event names; empty is all. */
  events: string;
  format: 'json' | 'xml';
  auth_type: 'hmac' | 'bearer' | 'basic' | 'header' | 'none';
  /** JSON of all its secrets, under the server's key-encryption key. */
  secrets: string;
  encrypt_payload: Flag;
  enabled: Flag;
  /** Its events are queued, and none is sent. */
  paused: Flag;
  health: 'unknown' | 'running' | 'bad';
  health_changed_at: number;
  /** While bad: when the next probe is due. */
  probe_at: number | null;
  /** JSON of the wire's `last_failure`; null while no delivery has failed. */
  last_failure: string | null;
  /** Rows up to this place were parked: they are delivered under their own id. */
  parked_through: number;
  /** Counts changes of the configuration. */
  version: number;
  /** When the last mail about a stale queue was sent. */
  alerted_at: number | null;
  /** Which instance delivers, and until when that is believed (PostgreSQL). */
  lease_owner: string | null;
  lease_until: number | null;
  created_at: number;
  updated_at: number;
}

/** SQLite alone: a row of `webhook_events` that was delivered and is about to be removed. */
interface WebhookDeliveredRow {
  seq: number;
}

/** Some attempts of a webhook, in the order in which they ended. */
export interface WebhookAttemptsRow {
  company_id: string;
  webhook_id: string;
  /** That of the last of them. */
  id: string;
  /** How many they are. */
  size: number;
  /** JSON array of `StoredAttempt`. */
  attempts: string;
}

export const webhookTables = defineTables({
  webhooks: {
    key: ['company_id', 'service_id', 'id'],
    belongsTo: { companies: 'company_id', services: 'service_id' },
    move: {
      notCompared: ['parked_through', 'lease_owner', 'lease_until'],
      emptied: ['lease_owner', 'lease_until'],
    },
    encrypted: ['secrets'],
    writtenBy: ['regions'],
    readBy: ['events', 'operator'],
  },
  webhook_delivered: {
    key: ['seq'],
    onlyOn: 'sqlite',
  },
  webhook_attempts: {
    key: ['company_id', 'webhook_id', 'id'],
    belongsTo: { companies: 'company_id', webhooks: 'webhook_id' },
    manyOf: ['webhooks'],
    move: { page: VALUES_PAGE, bulk: true },
  },
});
