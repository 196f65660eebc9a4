import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    service_logs: ServiceLogRow;
  }
}

export interface ServiceLogRow {
  company_id: string;
  service_id: string;
  id: string;
  type: 'email' | 'purge' | 'webhook' | 'config';
  message: string;
  metadata: string;
  created_at: number;
}

export const serviceLogTables = defineTables({
  service_logs: {
    key: ['company_id', 'service_id', 'id'],
    belongsTo: { companies: 'company_id', services: 'service_id' },
    manyOf: ['services'],
    move: { bulk: true },
    readBy: ['sharing'],
  },
});
