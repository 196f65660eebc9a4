import { chooseOutputs, documentValues, type FlowRule, valuesOf } from '@symbolon/flows';
import { bearer, onFiles } from '../file-acts.ts';
import { nodeOf, type OpenRun } from './open-run.ts';
import { runAddress } from './runs.ts';

/** Where the PDF of a rule comes from, when a party brought it. */
export type Source = { key: string; file: string };

/**
 * Hands the answers over for the one moment in which the documents are made, under a key of this moment.
 * @throws InvalidRequestError `flows.generate_inputs_mismatch`, `flows.source_pdf_invalid`: the run stays as it is
 */
export async function generateDocuments(open: OpenRun): Promise<void> {
  const { state, way, run } = open;
  const values = valuesOf(state, way);
  const leaf = nodeOf(state.definition, way.at(-1) ?? null);
  const chosen = leaf === undefined ? [] : chooseOutputs(leaf, values, (rule) => hasSource(open, rule));
  const sources = chosen.flatMap(({ rule }) => sourceOf(open, rule) ?? []);
  const texts = Object.fromEntries(open.tagValues);
  await onFiles('generate', {
    by: bearer(),
    address: runAddress(run.id),
    values: JSON.stringify({ ...texts, ...documentValues(values) }),
    sources: [...new Map(sources.map((source) => [source.key, source])).values()],
  });
}

const hasSource = (open: OpenRun, rule: FlowRule): boolean =>
  rule.asset_key !== undefined || sourceOf(open, rule) !== undefined;

function sourceOf({ files, run }: OpenRun, rule: FlowRule): Source | undefined {
  const { source_field: slug, source_connection: source } = rule;
  const key = slug ?? (source && `conn:${source.party}:${source.request_slug}`);
  if (key === undefined) return undefined;
  const file = slug === undefined ? run.source_files[key] : files.get(slug);
  return file === undefined ? undefined : { key, file };
}
