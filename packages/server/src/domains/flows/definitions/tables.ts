import type { FlowDefinition } from '@symbolon/protocol';
import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    flows: FlowRow;
    flow_versions: FlowVersionRow;
    flow_assets: FlowAssetRow;
  }
}

/** A flow of a service, with the draft that its authors work on. */
export interface FlowRow {
  company_id: string;
  service_id: string;
  id: string;
  /** The name in the draft: it counts for published versions too. */
  name: string;
  output_mode: FlowDefinition['output_mode'];
  /** How often the draft was saved. */
  revision: number;
  /** The latest published version. */
  version: number | null;
  /** The revision of that version; null when files of the draft changed since. */
  published_revision: number | null;
  published_at: number | null;
  /** JSON of the ids of the plugins in the draft. */
  plugin_ids: string;
  created_at: number;
  updated_at: number;
  /** When it was deleted, if runs still read its versions. */
  deleted_at: number | null;
  /** JSON of the definition. */
  draft: string;
}

/** A published version: nothing of it ever changes. */
export interface FlowVersionRow {
  company_id: string;
  service_id: string;
  flow_id: string;
  version: number;
  name: string;
  output_mode: FlowDefinition['output_mode'];
  field_count: number;
  /** JSON of the ids of its plugins. */
  plugin_ids: string;
  published_at: number;
  /** JSON of its fields, as `GET /request-fields` shows them. */
  fields: string;
  /** JSON of the definition. */
  definition: string;
}

/** The version in rows of the draft. */
export const DRAFT = 0;

/** A PDF of a draft or of a version. */
export interface FlowAssetRow {
  company_id: string;
  service_id: string;
  flow_id: string;
  version: number;
  asset_key: string;
  original_name: string;
  hash: string;
  bytes: number;
  created_at: number;
  /** Text of a `StoredFile`: triggers count the references to its blob. */
  value: string;
  /** JSON of what was found in the PDF. */
  analysis: string;
  /** JSON of what filling it needs. */
  plan: string;
}

/** A file without what filling it needs, which may be long. */
export type FlowAssetHead = Omit<FlowAssetRow, 'plan'>;

/** Rows may hold a definition each. */
const DEFINITIONS_PAGE = 4;

export const definitionTables = defineTables({
  flows: {
    key: ['company_id', 'service_id', 'id'],
    belongsTo: { companies: 'company_id', services: 'service_id' },
    move: { page: DEFINITIONS_PAGE },
  },
  flow_versions: {
    key: ['company_id', 'flow_id', 'version'],
    belongsTo: { companies: 'company_id', services: 'service_id', flows: 'flow_id' },
    manyOf: ['services'],
    move: { page: DEFINITIONS_PAGE },
  },
  flow_assets: {
    key: ['company_id', 'flow_id', 'asset_key', 'version'],
    belongsTo: { companies: 'company_id', services: 'service_id', flows: 'flow_id' },
    manyOf: ['services'],
    move: {},
    readBy: ['regions'],
  },
});
