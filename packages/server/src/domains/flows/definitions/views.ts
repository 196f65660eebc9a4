import type {
  Flow,
  FlowAsset,
  FlowAssetAnalysis,
  FlowDefinition,
  FlowSummary,
  FlowVersion,
} from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { WrittenJson } from '../../../core/written-json.ts';
import type { FlowHead, FlowVersionHead } from './store.ts';
import type { FlowAssetHead, FlowRow } from './tables.ts';

export const PDF = 'application/pdf';

export function viewSummary(row: FlowHead): FlowSummary {
  return {
    id: row.id,
    service_id: row.service_id,
    name: row.name,
    output_mode: row.output_mode,
    revision: row.revision,
    version: row.version,
    published_at: row.published_at === null ? null : isoTime(row.published_at),
    changed: row.published_revision !== row.revision,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** A flow with its draft, as it is stored: a large one is read in a thread of its own. */
export function viewFlow(row: FlowRow, assets: readonly FlowAssetHead[]): Flow {
  return {
    ...viewSummary(row),
    definition: WrittenJson.of<FlowDefinition>(row.draft),
    assets: assets.map(viewAsset),
  };
}

export function viewAsset(row: FlowAssetHead): FlowAsset {
  return {
    asset_key: row.asset_key,
    kind: 'pdf',
    mime_type: PDF,
    original_name: row.original_name,
    size: Number(row.bytes),
    sha256: row.hash,
    analysis: WrittenJson.of<FlowAssetAnalysis>(row.analysis),
    created_at: isoTime(row.created_at),
  };
}

export const viewVersionHead = ({ version, name, published_at }: FlowVersionHead) => ({
  version,
  name,
  published_at: isoTime(published_at),
});

export const viewVersion = (
  head: FlowVersionHead,
  text: string,
  assets: readonly FlowAssetHead[],
): FlowVersion => ({
  ...viewVersionHead(head),
  definition: WrittenJson.of<FlowDefinition>(text),
  assets: assets.map(viewAsset),
});
