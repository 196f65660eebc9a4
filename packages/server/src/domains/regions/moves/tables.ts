import { defineTables } from '../../../db/table-registry.ts';
import type { Flag } from '../../../db/tables.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    company_moves: CompanyMoveRow;
    company_move_chunks: CompanyMoveChunkRow;
    company_arrivals: CompanyArrivalRow;
    company_arrival_chunks: CompanyArrivalChunkRow;
    departed_sessions: DepartedSessionRow;
  }
}

/** At the source: a company on its way to another region. */
export interface CompanyMoveRow {
  id: string;
  company_id: string;
  to_region: string;
  state: 'copying' | 'holding' | 'held' | 'activating' | 'switched' | 'done' | 'undoing' | 'undone';
  asked_by: 'operator' | 'portal';
  /** Why it goes no further at present, or was undone. */
  reason: string | null;
  /** How often it began to hold the company; the destination takes in nothing of an attempt that was given up. */
  attempts: number;
  /** Not before. */
  retry_at: number | null;
  held_at: number | null;
  /** How long the last hold lasted. */
  held_ms: number | null;
  undo_wanted: Flag;
  /** Set and unset within a transaction of the move: what passes its own hold. */
  lifted: Flag;
  rows_copied: number;
  /** Which instance carries it on, and until when that is believed. */
  worker: string | null;
  worker_until: number | null;
  created_at: number;
  updated_at: number;
  switched_at: number | null;
  finished_at: number | null;
}

/** At the source: a stretch of a table in the order of its keys, as the destination has it. */
export interface CompanyMoveChunkRow {
  move_id: string;
  table_name: string;
  chunk: number;
  /** Of a feed or a queue: which; else empty. */
  part: string;
  /** JSON of the last key; the stretch begins behind that of the one before. */
  upto: string;
  rows: number;
  /** Of what was sent. */
  sha256: string;
}

/** At the destination: a company that comes from another region. */
export interface CompanyArrivalRow {
  id: string;
  company_id: string;
  from_region: string;
  state: 'staging' | 'active' | 'done' | 'undone';
  attempt: number;
  created_at: number;
  updated_at: number;
}

/** At the destination: rows that wait for the switch. */
export interface CompanyArrivalChunkRow {
  move_id: string;
  table_name: string;
  chunk: number;
  /** JSON: rows, each an array of the columns in the order of their names. */
  content: string;
}

/** A portal session of a company that moved away: it goes on at the company's new home. */
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
  company_move_chunks: {
    key: ['move_id', 'table_name', 'chunk'],
    belongsTo: { company_moves: 'move_id' },
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
    belongsTo: { companies: 'company_id' },
    move: 'stays',
  },
});
