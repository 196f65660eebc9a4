import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    clients: ClientRow;
  }
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

export const clientTables = defineTables({
  clients: {
    key: ['client_id'],
    hashed: ['secret_hash'],
    belongsTo: { companies: 'company_id', services: 'service_id' },
    move: {},
    readBy: ['operator'],
    writtenBy: ['companies'],
  },
});
