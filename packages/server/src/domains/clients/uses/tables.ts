import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    client_uses: ClientUseRow;
  }
}

/** Since a client is there, or was first used after 0010: when it last obtained a token. */
export interface ClientUseRow {
  client_id: string;
  company_id: string;
  /** To the hour; null until the first time. */
  last_used_at: number | null;
}

export const clientUseTables = defineTables({
  client_uses: {
    key: ['client_id'],
    belongsTo: { companies: 'company_id', clients: 'client_id', oauth_apps: 'client_id' },
    move: {},
  },
});
