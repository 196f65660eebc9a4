import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    connect_requests: ConnectRequestRow;
    blocked_services: BlockedServiceRow;
  }
}

/** A service asks a person to connect. It lives at the home of the service's company. */
export interface ConnectRequestRow {
  company_id: string;
  service_id: string;
  id: string;
  person_id: string;
  state: 'open' | 'accepted' | 'rejected';
  created_at: number;
  /** An open one is rejected then. */
  expires_at: number;
}

/** A person wants to see no requests of a service. */
export interface BlockedServiceRow {
  company_id: string;
  service_id: string;
  person_id: string;
  created_at: number;
}

const belongsTo = { companies: 'company_id', services: 'service_id', persons: 'person_id' } as const;

export const connectRequestTables = defineTables({
  connect_requests: { key: ['company_id', 'service_id', 'id'], belongsTo, manyOf: ['services'], move: {} },
  blocked_services: {
    key: ['company_id', 'service_id', 'person_id'],
    belongsTo,
    manyOf: ['services'],
    move: {},
  },
});
