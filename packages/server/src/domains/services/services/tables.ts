import { defineTables, VALUES_PAGE } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    services: ServiceRow;
    service_former_keys: FormerServiceKeyRow;
    request_fields: RequestFieldRow;
    share_fields: ShareFieldRow;
  }
}

export interface ServiceRow {
  company_id: string;
  id: string;
  name: string;
  share_code: string;
  admin_email: string;
  audience: 'person' | 'company' | 'both';
  require_2fa: Flag;
  number_matching: Flag;
  public_key: string;
  public_key_sha256: string;
  /** JSON of wire 2.2. */
  encrypted_private_key: string;
  private_key_pem: string | null;
  /** Versions behind the config tokens. */
  request_version: number;
  share_version: number;
  /** The id of every consent that is open: each publish that asks something gives a new one. */
  consent_id: string | null;
  /** The version whose publish last asked something of the connections that stood. */
  asked_version: number;
  connection_count: number;
  /** How many connections ever ended: remembered pages of the list are valid until it changes. */
  connections_ended: number;
  created_at: number;
  updated_at: number;
}

/** A key pair that was replaced; what was sealed to it opens with nothing else. */
export interface FormerServiceKeyRow {
  company_id: string;
  service_id: string;
  public_key_sha256: string;
  public_key: string;
  /** JSON of wire 2.2. */
  encrypted_private_key: string;
  private_key_pem: string | null;
  replaced_at: number;
}

export interface RequestFieldRow {
  company_id: string;
  service_id: string;
  id: string;
  slug: string;
  label: string;
  type: string;
  one_time: Flag;
  mandatory_provide: Flag;
  mandatory_connected: Flag;
  verified: Flag;
  verified_max_age_days: number | null;
  audience: 'person' | 'company' | 'both';
  /** Why it is asked, in the company's words; null: it does not say. */
  reason: string | null;
  position: number;
  /** The version since which the row is asked of people who were connected before; null: they are not asked. */
  people_since: number | null;
  /** The same for companies as customers. When the audience becomes wider later, existing customers are not asked. */
  companies_since: number | null;
  /** When the row was added. */
  asked_at: number;
  /** The plugin that answers, of a row of that type, with JSON of what it said of its field type at the publish. */
  plugin_id: string | null;
  plugin: string | null;
  /** Set while live answers from before the row was made one-time are being made snapshots. */
  turning: Flag;
}

export interface ShareFieldRow {
  company_id: string;
  service_id: string;
  slug: string;
  label: string;
  type: string;
  value: string;
  position: number;
}

export const serviceTables = defineTables({
  services: {
    key: ['company_id', 'id'],
    belongsTo: { companies: 'company_id' },
    move: { page: VALUES_PAGE },
    writtenBy: ['sharing'],
    readBy: [
      'agreements',
      'approval',
      'clients',
      'conversation',
      'delivery',
      'flows',
      'operator',
      'profile',
      'regions',
    ],
  },
  service_former_keys: {
    key: ['company_id', 'service_id', 'public_key_sha256'],
    belongsTo: { companies: 'company_id', services: 'service_id' },
    move: { page: VALUES_PAGE },
  },
  request_fields: {
    key: ['company_id', 'service_id', 'id'],
    belongsTo: { companies: 'company_id', services: 'service_id' },
    move: {},
    readBy: ['delivery', 'flows', 'regions', 'registry', 'sharing'],
  },
  share_fields: {
    key: ['company_id', 'service_id', 'slug'],
    belongsTo: { companies: 'company_id', services: 'service_id' },
    move: { page: VALUES_PAGE },
    readBy: ['regions', 'registry', 'sharing'],
  },
});
