import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    flow_run_inputs: FlowRunInputRow;
  }
}

/** A file that waits to be put into documents, encrypted with a key that its sender alone has. */
export interface FlowRunInputRow {
  company_id: string;
  service_id: string;
  run_id: string;
  /** Who sent it. */
  user_id: string;
  source_key: string;
  id: string;
  /** Text of a `StoredFile`. */
  value: string;
  expires_at: number;
}

export const generationTables = defineTables({
  // Not sent: who uploaded them repeats it, as after the hour that they live.
  flow_run_inputs: {
    key: ['company_id', 'run_id', 'user_id', 'source_key'],
    belongsTo: { companies: 'company_id', services: 'service_id' },
    move: 'stays',
  },
});
