import { defineTables } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    company_moves: CompanyMoveRow;
    company_arrivals: CompanyArrivalRow;
    company_arrival_chunks: CompanyArrivalChunkRow;
    departed_sessions: DepartedSessionRow;
  }
}

/** At the source: a move of a company to another region. `held` in names means frozen, as in the admin API. */
export interface CompanyMoveRow {
  id: string;
  company_id: string;
  to_region: string;
  state: 'copying' | 'holding' | 'held' | 'activating' | 'switched' | 'done' | 'undoing' | 'undone';
  asked_by: 'operator' | 'portal';
  /** Why the move waits, or was undone. */
  reason: string | null;
  /** How often the company was frozen; the destination refuses requests of earlier attempts. */
  attempts: number;
  /** The next step begins then or later. */
  retry_at: number | null;
  held_at: number | null;
  /** How long the last freeze lasted. */
  held_ms: number | null;
  undo_wanted: Flag;
  /** 1 lets writes pass the triggers: set when the company thaws, and within the move's own transactions. */
  lifted: Flag;
  rows_copied: number;
  /** The instance that has the lease, and when the lease expires. */
  worker: string | null;
  worker_until: number | null;
  created_at: number;
  updated_at: number;
  switched_at: number | null;
  finished_at: number | null;
}

/** At the destination: a move of a company from another region. */
export interface CompanyArrivalRow {
  id: string;
  company_id: string;
  from_region: string;
  state: 'staging' | 'active' | 'done' | 'undone';
  attempt: number;
  created_at: number;
  updated_at: number;
}

/** At the destination: rows that are staged until the switch. */
export interface CompanyArrivalChunkRow {
  move_id: string;
  table_name: string;
  chunk: number;
  /** JSON: rows, each an array of the columns in the order of their names. */
  content: string;
}

/** A portal session of a company that moved away. It works in the new region; here it is answered 421. */
export interface DepartedSessionRow {
  token_hash: string;
  company_id: string;
  expires_at: number;
}

export const moveTables = defineTables({
  company_moves: {
    key: ['id'],
    belongsTo: { companies: 'company_id' },
    move: 'stays',
  },
  company_arrivals: {
    key: ['id'],
    belongsTo: { companies: 'company_id' },
    move: 'stays',
  },
  company_arrival_chunks: {
    key: ['move_id', 'table_name', 'chunk'],
    belongsTo: { company_arrivals: 'move_id' },
  },
  departed_sessions: {
    key: ['token_hash'],
    hashed: ['token_hash'],
    belongsTo: { companies: 'company_id' },
    move: 'stays',
  },
});
