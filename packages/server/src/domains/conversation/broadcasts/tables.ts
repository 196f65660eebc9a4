import { defineTables, VALUES_PAGE } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    broadcasts: BroadcastRow;
    broadcast_reads: BroadcastReadRow;
  }
}

/** A message to all people of a service. It stands in the thread of everybody who was connected when it was sent. */
export interface BroadcastRow {
  company_id: string;
  service_id: string;
  id: string;
  /** Plain text. */
  body: string;
  created_at: number;
  expires_at: number;
}

/** That a person has read one. */
export interface BroadcastReadRow {
  company_id: string;
  connection_id: string;
  broadcast_id: string;
  read_at: number;
  /** When the broadcast goes. */
  expires_at: number;
}

export const broadcastTables = defineTables({
  broadcasts: {
    key: ['company_id', 'service_id', 'id'],
    belongsTo: { companies: 'company_id', services: 'service_id' },
    manyOf: ['services'],
    move: { page: VALUES_PAGE },
  },
  broadcast_reads: {
    key: ['company_id', 'connection_id', 'broadcast_id'],
    belongsTo: { companies: 'company_id', connections: 'connection_id' },
    move: { bulk: true },
  },
});
