import type { Tables } from '../../../db/tables.ts';

type TableName = keyof Tables;

/** A table that has rows of companies, and how those go to another region. */
export interface CompanyTable {
  readonly name: TableName;
  /** What tells the rows of one company from each other, the rest of the primary key. */
  readonly key: readonly string[];
  /** The column that names the company. */
  readonly owner: 'company_id' | 'id' | 'subject_id';
  /** Of feeds and queues: the column that tells them apart. Their rows go in the order of `seq` and get places anew. */
  readonly feed?: 'feed' | 'webhook_id';
  /** Columns that are not the same in both regions, and so are not compared. */
  readonly apart: readonly string[];
  /** Columns that arrive empty: who is at a row in the region it comes from says nothing in the other. */
  readonly emptied: readonly string[];
  /** Rows that are read and sent at once. */
  readonly page: number;
  /** May be long: its rows are deleted after the switch, bit by bit. Nobody can reach them without the other tables. */
  readonly bulk: boolean;
  /** Whether a hold keeps everybody from writing rows of the company. */
  readonly held: boolean;
}

const table = (
  name: TableName,
  key: readonly string[],
  more: Partial<Omit<CompanyTable, 'name' | 'key'>> = {},
): CompanyTable => ({
  name,
  key,
  owner: 'company_id',
  apart: [],
  emptied: [],
  page: 500,
  bulk: false,
  held: true,
  ...more,
});

/** A slot's value may be as long as a wrapper may be. */
const VALUES_PAGE = 100;

/**
 * Every table that has rows of companies. Whatever a feature adds has its line here, or among `staying`: a test compares
 * both with the schema.
 */
export const companyTables: readonly CompanyTable[] = [
  table('companies', ['id'], { owner: 'id', apart: ['region', 'card_version'] }),
  // The destination has the code already, by the card.
  table('share_codes', ['code'], { owner: 'subject_id', held: false }),
  table('portal_logins', ['id']),
  table('portal_sessions', ['login_id', 'id']),
  table('sign_in_tickets', ['token_hash']),
  table('two_factor_recovery_codes', ['login_id', 'code_hash']),
  table('trusted_devices', ['login_id', 'id']),
  table('login_codes', ['login_id', 'purpose']),
  table('delegate_invitations', ['id']),
  table('company_deletions', ['company_id']),
  table('services', ['id'], { page: VALUES_PAGE }),
  table('service_former_keys', ['service_id', 'public_key_sha256'], { page: VALUES_PAGE }),
  table('request_fields', ['service_id', 'id']),
  table('share_fields', ['service_id', 'slug'], { page: VALUES_PAGE }),
  table('share_photos', ['service_id', 'photo_id']),
  table('clients', ['client_id']),
  table('account_clients', ['client_id']),
  table('oauth_apps', ['client_id']),
  table('recovery_copies', ['id']),
  table('contact_fields', ['id']),
  table('contact_data', ['id'], { page: VALUES_PAGE }),
  table('photos', ['id']),
  table('webhooks', ['service_id', 'id'], {
    apart: ['parked_through', 'lease_owner', 'lease_until'],
    emptied: ['lease_owner', 'lease_until'],
  }),
  table('connections', ['service_id', 'id']),
  table('slot_values', ['connection_id', 'request_field_id'], {
    // Under which the home of the person knows the slot: it changes with the distance.
    apart: ['registration'],
    page: VALUES_PAGE,
    bulk: true,
  }),
  table('consent_rows', ['connection_id', 'request_field_id'], { bulk: true }),
  table('changes', ['seq'], {
    feed: 'feed',
    apart: ['seq', 'claim_owner', 'claimed_until'],
    emptied: ['claim_owner', 'claimed_until'],
    bulk: true,
  }),
  table('webhook_events', ['seq'], { feed: 'webhook_id', apart: ['seq'], bulk: true }),
  table('service_logs', ['service_id', 'id'], { bulk: true }),
  table('audit_log', ['id'], { bulk: true }),
];

/** Tables that name companies and stay where they are. */
export const staying: readonly TableName[] = [
  // Of people who are at home where the rows are.
  'remote_slots',
  // Of the move itself, at either end.
  'company_moves',
  'company_arrivals',
  'departed_sessions',
];

/**
 * SQL of the registration of a slot that moved away from the home of its person. It follows from what the slot is, so both
 * sides make the same one, and is no longer than an id may be.
 */
export const movedRegistration = (connection: string, requestField: string) =>
  `replace(${connection}, '-', '') || replace(${requestField}, '-', '')`;
