import { setImmediate } from 'node:timers/promises';
import type {
  Flow,
  FlowAsset,
  FlowAssetAnalysis,
  FlowDefinition,
  FlowSummary,
  FlowVersion,
} from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
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

/** JSON of so many characters is read in one turn of the event loop, and written into the answer in another. */
const ONE_TURN = 256 * 1024;

/** A flow with its draft. Nobody waits while a large one is read and written. */
export async function shownFlow(row: FlowRow, assets: readonly FlowAssetHead[]): Promise<Flow> {
  const view = viewFlow(row, assets);
  if (row.draft.length > ONE_TURN) await setImmediate();
  return view;
}

function viewFlow(row: FlowRow, assets: readonly FlowAssetHead[]): Flow {
  return {
    ...viewSummary(row),
    definition: JSON.parse(row.draft) as FlowDefinition,
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
    analysis: JSON.parse(row.analysis) as FlowAssetAnalysis,
    created_at: isoTime(row.created_at),
  };
}

export const viewVersionHead = ({ version, name, published_at }: FlowVersionHead) => ({
  version,
  name,
  published_at: isoTime(published_at),
});

export async function shownVersion(
  head: FlowVersionHead,
  text: string,
  assets: readonly FlowAssetHead[],
): Promise<FlowVersion> {
  const definition = JSON.parse(text) as FlowDefinition;
  if (text.length > ONE_TURN) await setImmediate();
  return { ...viewVersionHead(head), definition, assets: assets.map(viewAsset) };
}
