import { generateOneTimeKey, parseFileEnvelope, sealBundle } from '@symbolon/crypto';
import {
  bundleValues,
  type ChosenOutput,
  chooseOutputs,
  connectionSourceKey,
  type FlowRule,
} from '@symbolon/flows';
import type { FlowRun, GeneratedDocuments, GenerateFlowRequest } from '@symbolon/protocol';
import { limits } from '@symbolon/protocol/constants';
import { type BinaryContent, contentOfEnvelope } from '../data/binary-handle.ts';
import { DecryptionError, SymbolonError } from '../http/errors.ts';
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
  const { run, state, tagValues, values } = open;
  const otk = generateOneTimeKey();
  const texts = { ...Object.fromEntries(tagValues), ...bundleValues(state, values) };
  const sealed = await sealBundle(JSON.stringify(texts), otk);
  const making = { side, open, otk, signal };
  const make = (inputs: Input[]): Promise<GeneratedDocuments> => {
    const json: GenerateFlowRequest = { otk, values: sealed, inputs };
    // The first call that succeeds counts: a repetition is answered by its documents.
    const call = { method: 'POST', path: `${side.address(run)}/generate`, idempotent: true } as const;
    return side.api.json({ ...call, json, signal });
  };
  const chosen = chosenDocuments(open);
  const pdfs = await uploadPdfs(making, chosen);
  const pictures = await uploadPictures(making, chosen, pdfs);
  try {
    return await make([...pdfs, ...pictures]);
  } catch (error) {
    // A picture that cannot be decoded must not keep documents from being made: its tag stays blank.
    if (pictures.length === 0 || !hasKey(error, 'flows.source_pdf_invalid')) throw error;
    return make(pdfs);
  }
}

type Making<Run extends FlowRun> = {
  side: FlowSide<Run>;
  open: OpenFlowRun<Run>;
  otk: string;
  signal: AbortSignal | undefined;
};
type Input = { source_key: string; input: string };

async function upload<Run extends FlowRun>(
  { side, open, otk, signal }: Making<Run>,
  key: string,
  bytes: Uint8Array,
): Promise<Input> {
  const json = { source_key: key, value: await sealBundle(bytes, otk) };
  const path = `${side.address(open.run)}/generate/inputs`;
  const call = { method: 'POST', path, json, idempotent: true, signal } as const;
  const { input } = await side.api.json<{ input: string }>(call);
  return { source_key: key, input };
}

async function uploadPdfs<Run extends FlowRun>(
  making: Making<Run>,
  chosen: readonly ChosenOutput[],
): Promise<Input[]> {
  const { side, open, signal } = making;
  const sources = chosen.flatMap(({ rule }) => sourceOf(open, rule) ?? []);
  const inputs: Input[] = [];
  for (const [key, ref] of new Map(sources.map((source) => [source.key, source.ref]))) {
    const { files } = await openFlowFile(side, open.run, ref, { signal });
    inputs.push(await upload(making, key, files[0]?.bytes ?? new Uint8Array()));
  }
  return inputs;
}

/** Pictures for tags, as far as there is room. One that cannot be opened is left out: its tag stays blank. */
async function uploadPictures<Run extends FlowRun>(
  making: Making<Run>,
  chosen: readonly ChosenOutput[],
  pdfs: readonly Input[],
): Promise<Input[]> {
  const { side, open, signal } = making;
  const isAsked = (slug: string) =>
    chosen.some(({ rule: { tags = [] } }) => tags.length === 0 || tags.includes(slug));
  const isSent = (slug: string) => pdfs.some(({ source_key: key }) => key === slug);
  const inputs: Input[] = [];
  for (const { key, ref } of picturesOf(open)) {
    if (!isAsked(key) || isSent(key) || pdfs.length + inputs.length >= limits.flowInputsMost) continue;
    try {
      const { files } = await openFlowFile(side, open.run, ref, { signal });
      const bytes = await pictureIn(side, files);
      if (bytes !== undefined) inputs.push(await upload(making, key, bytes));
    } catch (error) {
      if (!(error instanceof DecryptionError) && !hasKey(error, 'flows.inputs_limit')) throw error;
    }
  }
  return inputs;
}

const hasKey = (error: unknown, key: string) => error instanceof SymbolonError && error.errorKey === key;

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
