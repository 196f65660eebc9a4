import type { CompanyLevel } from '@symbolon/protocol';
import type { Generated, GeneratedAlways } from 'kysely';

/** Stored booleans: both engines keep them as small integers. */
export type Flag = 0 | 1;
export const flag = (value: boolean): Flag => (value ? 1 : 0);

/** Times are integer milliseconds; JSON is text. */
export interface Tables {
  companies: CompanyRow;
  portal_logins: PortalLoginRow;
  portal_sessions: PortalSessionRow;
  sign_in_tickets: SignInTicketRow;
  two_factor_recovery_codes: TwoFactorRecoveryCodeRow;
  trusted_devices: TrustedDeviceRow;
  login_codes: LoginCodeRow;
  delegate_invitations: DelegateInvitationRow;
  company_deletions: CompanyDeletionRow;
  share_codes: ShareCodeRow;
  services: ServiceRow;
  request_fields: RequestFieldRow;
  share_fields: ShareFieldRow;
  clients: ClientRow;
  recovery_copies: RecoveryCopyRow;
  contact_fields: ContactFieldRow;
  contact_data: ContactDataRow;
  photos: PhotoRow;
  share_photos: SharePhotoRow;
  blobs: BlobRow;
  doomed_blobs: DoomedBlobRow;
  account_clients: AccountClientRow;
  oauth_apps: OAuthAppRow;
  audit_log: AuditLogRow;
  persons: PersonRow;
  person_fields: PersonFieldRow;
  verification_codes: VerificationCodeRow;
  connections: ConnectionRow;
  slot_values: SlotValueRow;
  consent_rows: ConsentRow;
  changes: ChangeTable;
  service_logs: ServiceLogRow;
  service_former_keys: FormerServiceKeyRow;
  webhooks: WebhookRow;
  webhook_events: WebhookEventTable;
  webhook_delivered: WebhookDeliveredRow;
  region_settings: RegionSettingRow;
  field_types: FieldTypeTableRow;
  operator_acts: OperatorActRow;
  remote_slots: RemoteSlotRow;
  region_messages: RegionMessageTable;
  region_marks: RegionMarkRow;
  directory_owners: DirectoryOwnerRow;
  directory_names: DirectoryNameRow;
  company_moves: CompanyMoveRow;
  company_move_chunks: CompanyMoveChunkRow;
  company_arrivals: CompanyArrivalRow;
  company_arrival_chunks: CompanyArrivalChunkRow;
  departed_sessions: DepartedSessionRow;
}

export interface CompanyRow {
  id: string;
  name: string;
  /** Lower case. */
  email: string;
  code: string;
  account_public_key: string;
  account_public_key_sha256: string;
  /** PKCS#8, under the server's key-encryption key. */
  account_private_key: string;
  recovery_public_key: string;
  /** JSON of wire 2.2's wrapped key, under the account password. */
  recovery_private_key: string;
  level: CompanyLevel;
  created_at: number;
  /** The home region; null: here. Of a company at home elsewhere there is its card alone: name, code and account key. */
  region: string | null;
  /** Raised with every change of the card and every move: of two cards the higher counts. */
  card_version: number;
}

/** Who signs in to a company's portal. The company's own login has the company's id. */
export interface PortalLoginRow {
  company_id: string;
  id: string;
  /** Lower case; one login has it. */
  email: string;
  name: string;
  role: 'viewer' | 'support' | 'developer' | 'admin' | 'owner';
  password_hash: string;
  /** Under the server's key-encryption key; there while an enrolment is under way too. */
  totp_secret: string | null;
  totp_enabled_at: number | null;
  /** The time step of the last code that was taken: no code is taken twice (RFC 6238 5.2). */
  totp_last_step: number;
  created_at: number;
}

export interface PortalSessionRow {
  company_id: string;
  login_id: string;
  id: string;
  token_hash: string;
  transport: 'token' | 'cookie';
  user_agent: string;
  created_at: number;
  /** To the minute. */
  last_seen_at: number;
  expires_at: number;
}

/** A sign-in whose password was right and whose second factor is awaited. */
export interface SignInTicketRow {
  company_id: string;
  login_id: string;
  token_hash: string;
  transport: 'token' | 'cookie';
  attempts: number;
  expires_at: number;
}

export interface TwoFactorRecoveryCodeRow {
  company_id: string;
  login_id: string;
  code_hash: string;
}

/** A device on which a login's second factor is not asked for. */
export interface TrustedDeviceRow {
  company_id: string;
  login_id: string;
  id: string;
  token_hash: string;
  user_agent: string;
  created_at: number;
  last_used_at: number;
  expires_at: number;
}

/** A code that was mailed to confirm an act of a login. */
export interface LoginCodeRow {
  company_id: string;
  login_id: string;
  purpose: 'email' | 'deletion';
  code_hash: string;
  /** What is being confirmed: the new address. */
  subject: string;
  attempts: number;
  expires_at: number;
}

export interface DelegateInvitationRow {
  company_id: string;
  /** Becomes the id of the login. */
  id: string;
  email: string;
  role: PortalLoginRow['role'];
  token_hash: string;
  created_at: number;
  expires_at: number;
}

/** A company that is to be deleted; goes with the last of its rows. */
export interface CompanyDeletionRow {
  company_id: string;
  /** Where the end of it is told. */
  email: string;
  confirmed_at: number;
  due_at: number;
}

/** Codes by which keys are looked up: of people and companies, in one namespace. */
export interface ShareCodeRow {
  code: string;
  kind: 'person' | 'company';
  subject_id: string;
  /** Given by an operator: taken on input, never told. */
  custom: Generated<Flag>;
}

/** What holds for a whole region, whichever process serves it. */
export interface RegionSettingRow {
  name: string;
  /** JSON. */
  value: string;
  updated_at: number;
}

/** A field type that an operator added. */
export interface FieldTypeTableRow {
  type: string;
  /** JSON of the registry row. */
  row: string;
  created_at: number;
}

/** Something an operator did. */
export interface OperatorActRow {
  id: string;
  act: string;
  subject: string | null;
  /** JSON; never a secret or a value. */
  details: string;
  source: string;
  at: number;
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
  /** Null for what belongs to the company as a whole. */
  service_id: string | null;
  client_id: string | null;
  /** JSON of a wrapper for the company's recovery key. */
  sealed: string;
  created_at: number;
}

/** What an account client is beside its credentials, which are a row of `clients`. */
export interface AccountClientRow {
  company_id: string;
  client_id: string;
  name: string;
  purpose: string | null;
  /** JSON array of capability groups. */
  capabilities: string;
  created_at: number;
}

/** A sign-in app. */
export interface OAuthAppRow {
  company_id: string;
  client_id: string;
  name: string;
  app_type: 'confidential' | 'public';
  /** JSON array, matched exactly. */
  redirect_uris: string;
  claims_delivery: 'encrypted' | 'plaintext';
  /** SPKI, base64. */
  public_key: string | null;
  public_key_sha256: string | null;
  /** Null for a public app. */
  secret_hash: string | null;
  secret_created_at: number | null;
  created_at: number;
  updated_at: number;
}

/** One administrative act. */
export interface AuditLogRow {
  company_id: string;
  id: string;
  actor_kind: 'portal' | 'account_client' | 'operator' | 'platform';
  actor_id: string;
  actor_name: string | null;
  /** The address the call came from. */
  source: string | null;
  action: string;
  target: string;
  /** JSON; never a secret or a value. */
  details: string;
  created_at: number;
}

/** A custom field of a company's catalogue. */
export interface ContactFieldRow {
  company_id: string;
  id: string;
  type: string;
  slug: string;
  label: string;
  usertype: 'person' | 'company' | 'any';
  created_at: number;
}

/** A value of a company's own profile, in plaintext by design (wire 2.3). */
export interface ContactDataRow {
  company_id: string;
  id: string;
  /** The catalogue field it fills: the id of a custom field, or the type of a system field. */
  field_id: string;
  type: string;
  slug: string;
  label: string;
  value: string;
  created_at: number;
  updated_at: number;
}

/** A photo of a company. */
export interface PhotoRow {
  company_id: string;
  id: string;
  label: string | null;
  media_type: string;
  width: number;
  height: number;
  size: number;
  /** Blobs: SHA-256 of the image and of its small form. */
  hash: string;
  thumb_hash: string;
  is_profile: Flag;
  created_at: number;
}

/** A photo that a service shows. */
export interface SharePhotoRow {
  company_id: string;
  service_id: string;
  photo_id: string;
  position: number;
}

/** A blob that is kept. */
export interface BlobRow {
  /** SHA-256 of its bytes, lower-case hex. */
  hash: string;
  /** Where the store has it; never used twice. */
  key: string;
  size: number;
  /** How many rows name it. */
  refs: number;
  /** Until then somebody is about to name it. */
  held_until: number;
}

/** What the store still has of a blob that is no longer kept. */
export interface DoomedBlobRow {
  key: string;
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
  /** The home region; null: here. Of a person at home elsewhere there is what connections need: no e-mail, no login. */
  region: string | null;
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
  /** Raised with every new value. */
  version: number;
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
  /** Of a company as customer: what all its connections to services of one other company have in common. */
  group_id: string | null;
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
  /** The version of the field whose value this is a copy of; null where nothing follows a field. */
  field_version: number | null;
  /** Under what the home region of the person knows this slot; null when that is this region. */
  registration: string | null;
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

export interface ServiceLogRow {
  company_id: string;
  service_id: string;
  id: string;
  type: 'email' | 'purge' | 'webhook' | 'config';
  message: string;
  metadata: string;
  created_at: number;
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

/** SQLite alone: a row of `webhook_events` that was delivered and is about to be removed. */
export interface WebhookDeliveredRow {
  seq: number;
}

/** At a person's home: a live slot in another region, to which every new value of the field must be brought. */
export interface RemoteSlotRow {
  person_id: string;
  field_id: string;
  registration: string;
  company_id: string;
  service_id: string;
  connection_id: string;
  request_field_id: string;
  slug: string;
  service_public_key: string;
  /** The field may not be deleted while the slot stands. */
  mandatory: Flag;
  registered_at: number;
}

/** What another region is to be told; in the order of `seq` within a lane. */
export interface RegionMessageTable {
  seq: GeneratedAlways<number>;
  to_region: string;
  lane: number;
  kind: string;
  /** Whom it is about; of one subject nothing overtakes. */
  subject: string;
  /** JSON. */
  body: string;
  at: number;
}

/** How far the messages of another region have been taken in. */
export interface RegionMarkRow {
  from_region: string;
  lane: number;
  seq: number;
}

/** At the front door: where somebody is at home. */
export interface DirectoryOwnerRow {
  kind: 'company' | 'person';
  id: string;
  region: string;
  updated_at: number;
}

/** At the front door: what exists once in all regions, and whose it is. */
export interface DirectoryNameRow {
  kind: 'share_code' | 'portal_email' | 'person_email';
  name: string;
  owner_kind: DirectoryOwnerRow['kind'];
  owner_id: string;
  /** Whether the owner's region has written it; a claim that was never used is given back. */
  confirmed: Flag;
  claimed_at: number;
}

/** At the source: a company on its way to another region. */
export interface CompanyMoveRow {
  id: string;
  company_id: string;
  to_region: string;
  state: 'copying' | 'holding' | 'held' | 'activating' | 'switched' | 'done' | 'undoing' | 'undone';
  asked_by: 'operator' | 'portal';
  /** Why it goes no further at present, or was undone. */
  reason: string | null;
  /** How often it began to hold the company; the destination takes in nothing of an attempt that was given up. */
  attempts: number;
  /** Not before. */
  retry_at: number | null;
  held_at: number | null;
  /** How long the last hold lasted. */
  held_ms: number | null;
  undo_wanted: Flag;
  /** Set and unset within a transaction of the move: what passes its own hold. */
  lifted: Flag;
  rows_copied: number;
  /** Which instance carries it on, and until when that is believed. */
  worker: string | null;
  worker_until: number | null;
  created_at: number;
  updated_at: number;
  switched_at: number | null;
  finished_at: number | null;
}

/** At the source: a stretch of a table in the order of its keys, as the destination has it. */
export interface CompanyMoveChunkRow {
  move_id: string;
  table_name: string;
  chunk: number;
  /** Of a feed or a queue: which; else empty. */
  part: string;
  /** JSON of the last key; the stretch begins behind that of the one before. */
  upto: string;
  rows: number;
  /** Of what was sent. */
  sha256: string;
}

/** At the destination: a company that comes from another region. */
export interface CompanyArrivalRow {
  id: string;
  company_id: string;
  from_region: string;
  state: 'staging' | 'active' | 'done' | 'undone';
  attempt: number;
  created_at: number;
  updated_at: number;
}

/** At the destination: rows that wait for the switch. */
export interface CompanyArrivalChunkRow {
  move_id: string;
  table_name: string;
  chunk: number;
  /** JSON: rows, each an array of the columns in the order of their names. */
  content: string;
}

/** A portal session of a company that moved away: it goes on at the company's new home. */
export interface DepartedSessionRow {
  token_hash: string;
  company_id: string;
  expires_at: number;
}
