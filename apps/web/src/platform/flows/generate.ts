import {
  type ChosenOutput,
  chooseOutputs,
  connectionSourceKey,
  documentValues,
  type FlowRule,
  valuesOf,
} from '@symbolon/flows';
import { limits } from '@symbolon/protocol/constants';
import { bearer, onFiles } from '../file-acts.ts';
import { nodeOf, type OpenRun } from './open-run.ts';
import { runAddress } from './runs.ts';

/** A file that a party gave, for the documents. */
export type Source = { readonly key: string; readonly file: string; readonly kind: 'pdf' | 'picture' };

/**
 * Hands the answers over for the one moment in which the documents are made, under a key of this moment.
 * @throws InvalidRequestError `flows.generate_inputs_mismatch`, `flows.source_pdf_invalid`: the run stays as it is
 */
export async function generateDocuments(open: OpenRun): Promise<void> {
  const { state, way, run } = open;
  const values = valuesOf(state, way);
  const leaf = nodeOf(state.definition, way.at(-1) ?? null);
  const chosen =
    leaf === undefined ? [] : chooseOutputs(leaf, values, (rule) => sourceOf(open, rule) !== undefined);
  const texts = Object.fromEntries(open.tagValues);
  await onFiles('generate', {
    by: bearer(),
    address: runAddress(run.id),
    values: JSON.stringify({ ...texts, ...documentValues(values) }),
    sources: sourcesOf(open, chosen),
  });
}

/** The PDFs that documents are made of, and photos for their tags as far as there is room. */
function sourcesOf(open: OpenRun, chosen: readonly ChosenOutput[]): Source[] {
  const sources = new Map<string, Source>();
  for (const { rule } of chosen) {
    const source = sourceOf(open, rule);
    if (typeof source === 'object') sources.set(source.key, source);
  }
  for (const [key, file] of photosOf(open))
    if (sources.size < limits.flowInputsMost && !sources.has(key) && isAsked(key, chosen))
      sources.set(key, { key, file, kind: 'picture' });
  return [...sources.values()];
}

const isAsked = (slug: string, chosen: readonly ChosenOutput[]) =>
  chosen.some(({ rule: { tags = [] } }) => tags.length === 0 || tags.includes(slug));

function photosOf({ state, way, files }: OpenRun): [slug: string, file: string][] {
  return state.definition.nodes
    .filter(({ key }) => way.includes(key))
    .flatMap(({ elements }) => elements)
    .flatMap((element): [string, string][] => {
      if (element.kind !== 'field') return [];
      const file = files.get(element.slug);
      const isPhoto = state.fieldTypes.resolve(element.field_type)?.lane === 'photo';
      return file !== undefined && isPhoto ? [[element.slug, file]] : [];
    });
}

/** Where the PDF of a rule comes from: a file of the flow, or one that a party gave; undefined when the run has none. */
export function sourceOf({ files, run }: OpenRun, rule: FlowRule): 'asset' | Source | undefined {
  if (rule.asset_key !== undefined) return 'asset';
  const { source_field: slug, source_connection: connection } = rule;
  const key = slug ?? (connection && connectionSourceKey(connection.party, connection.request_slug));
  const file = slug === undefined ? run.source_files[key ?? ''] : files.get(slug);
  return key === undefined || file === undefined ? undefined : { key, file, kind: 'pdf' };
}
