import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    account_clients: AccountClientRow;
  }
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

export const accountClientTables = defineTables({
  account_clients: {
    key: ['company_id', 'client_id'],
    belongsTo: { companies: 'company_id', clients: 'client_id' },
    move: {},
  },
});
