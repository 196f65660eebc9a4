import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    jobs: JobRow;
  }
}

/** Work that an act has left to a worker. It outlives its service, which may be deleted by it. */
export interface JobRow {
  company_id: string;
  id: string;
  service_id: string;
  kind: string;
  /** JSON: what its kind must know to go on. */
  state: string;
  /** The jobs of a service run in this order. */
  position: number;
  /** The service whose job has the lowest is next. */
  turn: number;
  done: number;
  /** Null while unknown. */
  total: number | null;
  /** Steps that failed since the last one that did not, and what the last of them said. */
  failures: number;
  problem: string | null;
  created_at: number;
  updated_at: number;
  stepped_at: number | null;
  finished_at: number | null;
}

export const jobTables = defineTables({
  jobs: {
    key: ['company_id', 'id'],
    belongsTo: { companies: 'company_id' },
    move: {},
  },
});
