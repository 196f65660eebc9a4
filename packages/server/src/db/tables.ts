import type { GeneratedAlways } from 'kysely';

/** Stored booleans: both engines keep them as small integers. */
export type Flag = 0 | 1;
export const flag = (value: boolean): Flag => (value ? 1 : 0);

/** Times are integer milliseconds; JSON is text. */
export interface Tables {
  companies: CompanyRow;
  portal_sessions: PortalSessionRow;
  share_codes: ShareCodeRow;
  services: ServiceRow;
  request_fields: RequestFieldRow;
  share_fields: ShareFieldRow;
  clients: ClientRow;
  recovery_copies: RecoveryCopyRow;
  persons: PersonRow;
  person_fields: PersonFieldRow;
  verification_codes: VerificationCodeRow;
  connections: ConnectionRow;
  slot_values: SlotValueRow;
  consent_rows: ConsentRow;
  changes: ChangeTable;
  service_logs: ServiceLogRow;
  webhooks: WebhookRow;
  webhook_events: WebhookEventTable;
}

export interface CompanyRow {
  id: string;
  name: string;
  /** Lower case. */
  email: string;
  password_hash: string;
  code: string;
  account_public_key: string;
  account_public_key_sha256: string;
  /** PKCS#8, under the server's key-encryption key. */
  account_private_key: string;
  recovery_public_key: string;
  /** JSON of spec 2.2's wrapped key, under the account password. */
  recovery_private_key: string;
  created_at: number;
}

export interface PortalSessionRow {
  token_hash: string;
  company_id: string;
  created_at: number;
  expires_at: number;
}

/** Codes by which keys are looked up: of people and companies, in one namespace. */
export interface ShareCodeRow {
  code: string;
  kind: 'person' | 'company';
  subject_id: string;
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
  /** JSON of spec 2.2. */
  encrypted_private_key: string;
  private_key_pem: string | null;
  /** Versions behind the config tokens. */
  request_version: number;
  share_version: number;
  connection_count: number;
  /** How many connections ever ended: page anchors are good as long as it stands. */
  connections_ended: number;
  created_at: number;
  updated_at: number;
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
  position: number;
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

export interface ClientRow {
  client_id: string;
  company_id: string;
  service_id: string | null;
  secret_hash: string;
  /** Raised to revoke every token minted before. */
  epoch: number;
  /** JSON array of glob patterns. */
  endpoints: string;
  created_at: number;
  secret_created_at: number;
}

export interface RecoveryCopyRow {
  company_id: string;
  id: string;
  kind: 'client_secret' | 'service_passphrase';
  service_id: string;
  client_id: string | null;
  /** JSON of a wrapper for the company's recovery key. */
  sealed: string;
  created_at: number;
}

export interface PersonRow {
  id: string;
  /** Lower case. */
  email: string;
  display_name: string;
  share_code: string;
  public_key: string;
  public_key_sha256: string;
  key_salt: string;
  login_hash: string;
  /** JSON {iv, data}, under the password's wrap key. */
  encrypted_private_key: string;
  recovery_hash: string;
  /** JSON {iv, data}, under the recovery code. */
  recovery_private_key: string;
  epoch: number;
  created_at: number;
}

export interface PersonFieldRow {
  person_id: string;
  id: string;
  type: string;
  label: string;
  slug: string;
  private: Flag;
  usertype: 'person' | 'company' | 'any';
  /** JSON of a wrapper for the person's own key; null on file types. */
  value: string | null;
  /** JSON of the attestation's wire members, or null. */
  verification: string | null;
  created_at: number;
  updated_at: number;
}

export interface VerificationCodeRow {
  person_id: string;
  field_id: string;
  code_hash: string;
  /** Keyed hash of the value the code was sent for. */
  value_hash: string;
  attempts: number;
  expires_at: number;
}

export interface ConnectionRow {
  company_id: string;
  service_id: string;
  id: string;
  customer_id: string;
  customer_type: 'person' | 'company';
  connected_at: number;
}

/** The answer of one connection to one request row. */
export interface SlotValueRow {
  company_id: string;
  connection_id: string;
  request_field_id: string;
  /** The customer's source field; never on the company's wire. */
  field_id: string | null;
  live: Flag;
  /** JSON of a wrapper for the service key. */
  value: string | null;
  private: Flag;
  verification: string | null;
  updated_at: number;
}

/** One row of a consent: what a publish asked of a connection that stood before it. */
export interface ConsentRow {
  company_id: string;
  connection_id: string;
  request_field_id: string;
  /** Rows that are pending together have one consent id. */
  consent_id: string;
  state: 'pending' | 'accepted' | 'declined';
  created_at: number;
  decided_at: number | null;
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

/** The pull feed. */
export interface ChangeTable extends EventColumns {
  /** Rows of one key replace each other (spec 6.2 rules 2, 3 and 5). */
  collapse_key: string;
  /** Which instance is sending the row, and until when that is believed (PostgreSQL). */
  claim_owner: string | null;
  claimed_until: number | null;
}

export interface ServiceLogRow {
  company_id: string;
  service_id: string;
  id: string;
  type: 'email' | 'purge' | 'webhook' | 'config';
  message: string;
  metadata: string;
  created_at: number;
}

/** A webhook: where events of a service are sent, and how that goes (spec 2.8, 3.3). */
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
  health: 'unknown' | 'running' | 'bad';
  health_changed_at: number;
  /** While bad: when the next probe is due. */
  probe_at: number | null;
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

/** The queues of all webhooks. */
export interface WebhookEventTable extends EventColumns {
  webhook_id: string;
}
