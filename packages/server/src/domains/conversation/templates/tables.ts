import { defineTables, VALUES_PAGE } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    reply_templates: ReplyTemplateRow;
  }
}

/** A text that the staff of a service sends again and again. Plain: it says nothing about a customer. */
export interface ReplyTemplateRow {
  company_id: string;
  service_id: string;
  id: string;
  name: string;
  body: string;
  updated_at: number;
}

export const templateTables = defineTables({
  reply_templates: {
    key: ['company_id', 'service_id', 'id'],
    belongsTo: { companies: 'company_id', services: 'service_id' },
    move: { page: VALUES_PAGE },
  },
});
