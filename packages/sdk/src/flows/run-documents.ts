import { generateOneTimeKey, parseFileEnvelope, sealBundle } from '@symbolon/crypto';
import {
  type ChosenOutput,
  chooseOutputs,
  connectionSourceKey,
  documentValues,
  type FlowRule,
} from '@symbolon/flows';
import type { FlowRun, GeneratedDocuments, GenerateFlowRequest } from '@symbolon/protocol';
import { type BinaryContent, contentOfEnvelope } from '../data/binary-handle.ts';
import { DecryptionError } from '../http/errors.ts';
import type { Transfer } from '../http/progress.ts';
import { jsonOf } from '../http/transport.ts';
import type { FlowFileRef, FlowSide } from './flow-side.ts';
import { nodeOf, type OpenFlowRun } from './open-run.ts';

/** What a file of a run holds. */
export type FlowFileContent = Pick<BinaryContent, 'files' | 'entries'>;

/** @throws NotFoundError `flows.file_not_found`; DecryptionError */
export async function openFlowFile<Run extends FlowRun>(
  side: FlowSide<Run>,
  run: Run,
  file: FlowFileRef,
  transfer: Transfer = {},
): Promise<FlowFileContent> {
  const path = `${side.address(run)}${side.fileAddress(file)}`;
  const answer = jsonOf(await side.api.send({ method: 'GET', path, ...transfer })) as object;
  const wrapper = 'value' in answer ? answer.value : answer;
  const text = await side.open(typeof wrapper === 'string' ? wrapper : JSON.stringify(wrapper));
  try {
    return contentOfEnvelope(parseFileEnvelope(text));
  } catch (cause) {
    const message = 'The file does not have the shape of an envelope.';
    throw new DecryptionError({ errorKey: 'sdk.unreadable', message, cause });
  }
}

/** The documents with which a run ends, each with the rule that says which PDF it is made of. */
export function chosenDocuments(open: OpenFlowRun): ChosenOutput[] {
  const leaf = nodeOf(open.state.definition, open.way.at(-1) ?? null);
  return leaf === undefined ? [] : chooseOutputs(leaf, open.values, (rule) => hasSource(open, rule));
}

/** Files from which documents are made, and the pictures in them, by the keys under which they are sent. */
type Source = { key: string; bytes: Uint8Array };

/**
 * Hands values and files over for the moment in which the documents of a run are made, under a key of this moment.
 *
 * @throws InvalidRequestError `flows.generate_inputs_mismatch`, `flows.source_pdf_invalid`: the run stays as it is
 */
export async function generateDocuments<Run extends FlowRun>(
  side: FlowSide<Run>,
  open: OpenFlowRun<Run>,
  signal?: AbortSignal,
): Promise<GeneratedDocuments> {
  const { run, tagValues, values } = open;
  const { api } = side;
  const address = side.address(run);
  const otk = generateOneTimeKey();
  const inputs: { source_key: string; input: string }[] = [];
  for await (const { key, bytes } of sourcesOf(side, open, signal)) {
    const json = { source_key: key, value: await sealBundle(bytes, otk) };
    const call = { method: 'POST', path: `${address}/generate/inputs`, json, idempotent: true } as const;
    const { input } = await api.json<{ input: string }>({ ...call, signal });
    inputs.push({ source_key: key, input });
  }
  const texts = { ...Object.fromEntries(tagValues), ...documentValues(values) };
  const json: GenerateFlowRequest = { otk, values: await sealBundle(JSON.stringify(texts), otk), inputs };
  // The first call that succeeds counts: a repetition is answered by its documents.
  const call = { method: 'POST', path: `${address}/generate`, json, idempotent: true } as const;
  return api.json({ ...call, signal });
}

async function* sourcesOf<Run extends FlowRun>(
  side: FlowSide<Run>,
  open: OpenFlowRun<Run>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Source> {
  const { run } = open;
  const chosen = chosenDocuments(open);
  const named = chosen.flatMap(({ rule }) => sourceOf(open, rule) ?? []);
  const pdfs = new Map(named.map((source) => [source.key, source.ref]));
  for (const [key, ref] of pdfs) {
    const { files } = await openFlowFile(side, run, ref, { signal });
    yield { key, bytes: files[0]?.bytes ?? new Uint8Array() };
  }
  if (chosen.length === 0) return;
  for (const { key, ref } of picturesOf(open)) {
    if (pdfs.has(key)) continue;
    const { files } = await openFlowFile(side, run, ref, { signal });
    const bytes = await pictureIn(side, files);
    if (bytes !== undefined) yield { key, bytes };
  }
}

async function pictureIn<Run extends FlowRun>(
  { picture }: FlowSide<Run>,
  files: FlowFileContent['files'],
): Promise<Uint8Array | undefined> {
  const [first] = files;
  if (picture !== undefined && first !== undefined) return picture(first.bytes);
  return files.find(({ mimeType }) => PICTURES.has(mimeType))?.bytes;
}

/** Which pictures documents can show. */
const PICTURES = new Set(['image/jpeg', 'image/png']);

type NamedSource = { key: string; ref: FlowFileRef };

const hasSource = (open: OpenFlowRun, rule: FlowRule): boolean =>
  rule.asset_key !== undefined || sourceOf(open, rule) !== undefined;

/** Where the PDF of a rule comes from, when a party brought it. */
function sourceOf(open: OpenFlowRun, rule: FlowRule): NamedSource | undefined {
  const { source_field: slug, source_connection: source } = rule;
  if (slug !== undefined) {
    const file = open.values.has(slug) ? open.files.get(slug) : undefined;
    return file === undefined ? undefined : { key: slug, ref: { slug, file } };
  }
  if (source === undefined) return undefined;
  const key = connectionSourceKey(source.party, source.request_slug);
  const file = open.run.source_files[key];
  return file === undefined ? undefined : { key, ref: { source: key, file } };
}

/** The photos that were answered on the way. */
function picturesOf({ state, way, files }: OpenFlowRun): NamedSource[] {
  const nodes = way.flatMap((key) => nodeOf(state.definition, key) ?? []);
  return nodes
    .flatMap(({ elements }) => elements)
    .flatMap((element) => {
      if (element.kind !== 'field') return [];
      const { slug, field_type: type } = element;
      const file = files.get(slug);
      const isPhoto = state.fieldTypes.resolve(type)?.lane === 'photo';
      return isPhoto && file !== undefined ? [{ key: slug, ref: { slug, file } }] : [];
    });
}
