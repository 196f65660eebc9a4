import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    row_counts: RowCount;
    row_count_changes: RowCount;
  }
}

/** How many rows of a table there are in this database, or by how many they became more. Triggers write it. */
interface RowCount {
  /** The table, or what is counted of one. */
  kind: CountedTable;
  /** What tells the counts of a table apart; empty when it has one. */
  key: string;
  n: number;
}

/** The tables whose rows are counted, and what their key is. */
export type CountedTable =
  | 'changes'
  /** The webhook. */
  | 'webhook_events'
  | 'connections'
  /** The service: of connections those of companies alone. */
  | 'company_customers'
  | 'services'
  | 'clients'
  /** Their health. */
  | 'webhooks'
  /** The region where they are at home; empty for this one. */
  | 'persons'
  /** The region, a space, and the level. */
  | 'companies'
  /** The company. */
  | 'audit_log'
  /** The service. */
  | 'service_logs'
  | 'operator_acts'
  | 'company_moves'
  /** The service, a space, and the status; empty for those that the company deleted. */
  | 'documents';

// They belong to no account: a row that is deleted, or that arrives, changes the count of the database where that happens.
export const rowCountTables = defineTables({
  row_counts: { key: ['kind', 'key'] },
  // Rows are only added, and added up: it has no key.
  row_count_changes: { key: [], onlyOn: 'postgres' },
});
