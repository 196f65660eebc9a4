import { defineTables } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    messaging_suspensions: MessagingSuspensionRow;
  }
}

/** What the operator keeps a company from. */
export interface MessagingSuspensionRow {
  company_id: string;
  messages: Flag;
  broadcasts: Flag;
}

export const standingTables = defineTables({
  messaging_suspensions: { key: ['company_id'], belongsTo: { companies: 'company_id' }, move: {} },
});
