import type { FlowDefinition } from '@symbolon/protocol';
import { defineTables, VALUES_PAGE } from '../../../db/table-registry.ts';
import type { ConnectionRow } from '../../sharing/index.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    flow_runs: FlowRunRow;
    flow_run_counts: FlowRunCountRow;
    flow_run_parties: FlowRunPartyRow;
    flow_run_copies: FlowRunCopyRow;
    flow_run_steps: FlowRunStepRow;
    flow_run_uploads: FlowRunUploadRow;
  }
}

/** A run of a flow. It outlives the connections of its parties, for it is a record of all of them. */
export interface FlowRunRow {
  company_id: string;
  service_id: string;
  id: string;
  flow_id: string;
  flow_version: number;
  flow_name: string;
  /** What the company calls it. */
  reference: string | null;
  /** The connection that it was started with, and its customer. */
  connection_id: string;
  customer_id: string;
  customer_type: ConnectionRow['customer_type'];
  /** `awaiting_<party>`, or one of `RUN_STATES`. */
  status: string;
  /** 1 when the owning company is awaited, whatever the key of its party is. */
  company_turn: 0 | 1;
  /** The node that is to be answered, or the one at which the flow ended while its documents are made. */
  current_node: string | null;
  output_mode: FlowDefinition['output_mode'];
  /** JSON of `[party, user id]` in the order sent. */
  bindings: string;
  /** `YYYY-MM-DD`. */
  reference_date: string;
  /** JSON of slugs whose answers came from private fields. */
  private_slugs: string;
  /** JSON of `{"party.field": {v, t}}`. */
  owner_tag_values: string;
  /** JSON of a `LastAct`; null before the first, and when something else happened since. */
  last_act: string | null;
  /** Raised with everything that happens to the run. */
  acts: number;
  /** What its answers take, without files. */
  bytes: number;
  document_id: string | null;
  /** Why its documents could not be made: an error_key. */
  failure: string | null;
  created_at: number;
  updated_at: number;
  /** When it was completed or cancelled. */
  ended_at: number | null;
}

/** How many runs a list has: they change under the lock of the service, with the runs. */
export interface FlowRunCountRow {
  company_id: string;
  service_id: string;
  flow_id: string;
  status: string;
  company_turn: 0 | 1;
  n: number;
}

/** A customer who is bound to a party of a run. */
export interface FlowRunPartyRow {
  company_id: string;
  service_id: string;
  run_id: string;
  user_id: string;
  user_type: ConnectionRow['customer_type'];
  connection_id: string;
  /** As of the run. */
  ended_at: number | null;
}

/** Something of a run that is sealed for one of its parties. */
export interface FlowRunCopyRow {
  company_id: string;
  service_id: string;
  run_id: string;
  /** Who can open it. */
  user_id: string;
  kind: 'answer' | 'source' | 'tags';
  /** The slug, the key of the source, or empty for what is known of the parties. */
  key: string;
  /** Orders what a party has: by the act with which it came, then as it was sent. */
  place: number;
  id: string;
  /** JSON of a wrapper or of `FlowTagValues`, or the text of a `StoredFile` with the same id. */
  value: string;
}

/** A step that was answered. */
export interface FlowRunStepRow {
  company_id: string;
  service_id: string;
  run_id: string;
  /** The act of the run by which it was answered. */
  place: number;
  node: string;
  answered_at: number;
}

/** A file that a start or an answer names next. */
export interface FlowRunUploadRow {
  company_id: string;
  service_id: string;
  id: string;
  uploader_id: string;
  /** The flow that it is to start; null for an answer. */
  flow_id: string | null;
  run_id: string | null;
  slug: string | null;
  /** Whose file it is, of a source, if that was said; of an answer, the user of this copy. */
  user_id: string | null;
  /** Text of a `StoredFile`. */
  value: string;
  expires_at: number;
}

const ofService = { companies: 'company_id', services: 'service_id' } as const;

export const runTables = defineTables({
  flow_runs: {
    key: ['company_id', 'service_id', 'id'],
    belongsTo: ofService,
    manyOf: ['services'],
    move: { page: VALUES_PAGE },
  },
  flow_run_counts: {
    key: ['company_id', 'service_id', 'flow_id', 'status', 'company_turn'],
    belongsTo: ofService,
    move: {},
  },
  flow_run_parties: {
    key: ['company_id', 'user_id', 'run_id'],
    belongsTo: ofService,
    manyOf: ['services'],
    move: {},
  },
  flow_run_copies: {
    key: ['company_id', 'run_id', 'id'],
    belongsTo: ofService,
    manyOf: ['services'],
    move: { page: VALUES_PAGE },
    readBy: ['regions'],
  },
  flow_run_steps: {
    key: ['company_id', 'service_id', 'place', 'run_id'],
    belongsTo: ofService,
    manyOf: ['services'],
    move: {},
  },
  // Not sent: who uploaded them repeats it, as after the hour that they live.
  flow_run_uploads: {
    key: ['company_id', 'service_id', 'id'],
    belongsTo: ofService,
    move: 'stays',
  },
});
