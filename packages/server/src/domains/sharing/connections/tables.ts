import { defineTables, VALUES_PAGE } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    connections: ConnectionRow;
    slot_values: SlotValueRow;
    consent_rows: ConsentRow;
    early_tellings: EarlyTellingRow;
  }
}

export interface ConnectionRow {
  company_id: string;
  service_id: string;
  id: string;
  customer_id: string;
  customer_type: 'person' | 'company';
  connected_at: number;
  /** Of a company as customer: the id that its connections to services of one other company share. */
  group_id: string | null;
  /** The version of the service's request rows that the connection was made with: later ones ask for a consent. */
  request_version: number;
}

/** The answer of one connection to one request row. */
export interface SlotValueRow {
  company_id: string;
  connection_id: string;
  request_field_id: string;
  /** The customer's source field; never on the company's wire. */
  field_id: string | null;
  live: Flag;
  /** JSON of a wrapper for the service key, of a `StoredFile`, or of a `GoneFile`. */
  value: string | null;
  private: Flag;
  verification: string | null;
  updated_at: number;
  /** The version of the field whose value this is a copy of; null where nothing follows a field. */
  field_version: number | null;
  /** The id of this slot in the person's home region; null when that is this region. */
  registration: string | null;
}

/** What a customer decided about a row that a publish asked. What is asked and not decided is pending; see `pendingRows`. */
export interface ConsentRow {
  company_id: string;
  connection_id: string;
  request_field_id: string;
  state: 'accepted' | 'declined';
  decided_at: number;
}

/** A customer that a job which tells customers must pass over. */
export interface EarlyTellingRow {
  company_id: string;
  job_id: string;
  connection_id: string;
}

export const connectionTables = defineTables({
  connections: {
    key: ['company_id', 'service_id', 'id'],
    belongsTo: { companies: 'company_id', services: 'service_id' },
    manyOf: ['services'],
    move: {},
    readBy: ['agreements', 'conversation', 'flows', 'operator', 'profile', 'regions'],
  },
  slot_values: {
    key: ['company_id', 'connection_id', 'request_field_id'],
    // The answers to a request row that is removed go with a job, not with the row.
    belongsTo: { companies: 'company_id', connections: 'connection_id' },
    // The home of the person knows the slot by its registration, which changes with the distance.
    move: { notCompared: ['registration'], page: VALUES_PAGE, bulk: true },
    writtenBy: ['regions'],
    readBy: ['delivery', 'flows'],
  },
  consent_rows: {
    key: ['company_id', 'connection_id', 'request_field_id'],
    belongsTo: { companies: 'company_id', connections: 'connection_id' },
    move: { bulk: true },
  },
  early_tellings: {
    // They outlive their connections: the event that ends one asks for them.
    key: ['company_id', 'job_id', 'connection_id'],
    belongsTo: { companies: 'company_id' },
    move: {},
  },
});
