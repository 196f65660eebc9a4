import { buildFileEnvelope, buildPhotoEnvelope } from '@symbolon/crypto';
import type { FieldTypeRegistry } from '@symbolon/field-types';
import {
  type AnswerIssue,
  defaultOf,
  type Evaluation,
  type FlowElement,
  type FlowField,
  type FlowNode,
  type FlowPlugin,
  type RunState,
  textOf,
  type Values,
  valuesOf,
} from '@symbolon/flows';
import { ConflictError, InvalidRequestError, ValueError } from '../http/errors.ts';
import { pluginAnswer } from '../plugin-fields/plugin-answer.ts';
import type { PluginFields } from '../plugin-fields/plugin-fields.ts';
import { PlainDate } from '../values/plain-date.ts';
import { fileValue, type OpenFlowRun, stepIssues } from './open-run.ts';
import type { FlowAnswerInput, FlowAnswers, FlowFileInput, FlowPluginInput } from './typed-answers.ts';

/** The answers of a step, checked and in their normal form. */
export type CheckedStep = {
  /** What is sealed, by slug. */
  texts: ReadonlyMap<string, string>;
  /** Which of them are files. */
  files: ReadonlySet<string>;
  state: RunState;
  values: Values;
};

/**
 * Checks the answers of a step as every party does, and computes what plugins say.
 *
 * @throws InvalidRequestError `flows.answer_unknown`; ValueError `sdk.answers_invalid`, with `issues`; ConflictError
 *   `sdk.plugin_picks_invalid`
 */
export async function checkedStep(
  open: OpenFlowRun,
  node: FlowNode,
  { answers, plugins }: { answers: FlowAnswers; plugins: PluginFields },
): Promise<CheckedStep> {
  const asked = node.elements.filter((element) => element.kind !== 'text');
  const unknown = Object.keys(answers).find((slug) => asked.every((element) => element.slug !== slug));
  if (unknown !== undefined) {
    const message = 'This step has no such field.';
    throw new InvalidRequestError({ errorKey: 'flows.answer_unknown', message, details: { slug: unknown } });
  }
  const own = new Set(asked.map(({ slug }) => slug));
  const before = [...open.state.answers].filter(([slug]) => !own.has(slug));
  const texts = new Map<string, string>();
  const files = new Set<string>();
  const issues: AnswerIssue[] = [];
  /** A file has no id yet. */
  const seen = () =>
    [...texts].map(([slug, text]) => [slug, files.has(slug) ? fileValue('') : text] as const);
  const stateNow = () => ({ ...open.state, answers: new Map<string, unknown>([...before, ...seen()]) });
  const { referenceDate } = open.state;
  const evaluationNow = () => ({ values: valuesOf(stateNow(), open.way), referenceDate });
  for (const element of asked) {
    const input = inputOf(element, answers, evaluationNow);
    if (input === null) continue;
    if (element.kind === 'plugin') {
      const { values } = evaluationNow();
      texts.set(element.slug, await pluginText(element, input, { plugins, values }));
      continue;
    }
    const { fieldTypes } = open.state;
    const text = fieldText(element, input, fieldTypes);
    if (typeof text === 'object') issues.push({ ...text, slug: element.slug });
    else if (text !== '') texts.set(element.slug, text);
    if (fieldTypes.isBinary(element.field_type)) files.add(element.slug);
  }
  const state = stateNow();
  const values = valuesOf(state, open.way);
  const wrong = new Set(issues.map(({ slug }) => slug));
  issues.push(...stepIssues(node, state, values).filter(({ slug }) => !wrong.has(slug)));
  if (issues.length > 0) {
    const names = issues.map(({ slug, message }) => `${slug}: ${message}`).join(' ');
    const message = `The answers of this step cannot be submitted. ${names}`;
    throw new ValueError({ errorKey: 'sdk.answers_invalid', message, details: { issues } });
  }
  return { texts, files, state, values };
}

type Asking = Exclude<FlowElement, { kind: 'text' }>;

/** What the caller gave, or the default of the field; null for no answer. */
function inputOf(
  element: Asking,
  answers: FlowAnswers,
  evaluationNow: () => Evaluation,
): FlowAnswerInput | null {
  const given = Object.hasOwn(answers, element.slug) ? answers[element.slug] : undefined;
  if (given !== undefined) return given;
  if (element.kind !== 'field' || element.default === undefined) return null;
  return defaultOf(element, evaluationNow()) as FlowAnswerInput | null;
}

/** The normal form of an answer, or why it has none. */
function fieldText(
  { field_type: type, options: choices }: FlowField,
  input: FlowAnswerInput,
  registry: FieldTypeRegistry,
): string | Pick<AnswerIssue, 'code' | 'message'> {
  const isBinary = registry.isBinary(type);
  const value = isBinary ? envelopeOf(type, input as FlowFileInput, registry) : plainOf(input);
  if (value === '' || (Array.isArray(value) && value.length === 0)) return '';
  const result = registry.validate(type, value, { options: choices?.map((choice) => choice.value) ?? [] });
  if (!result.valid) return { code: 'value_invalid', message: result.message };
  const { normalized } = result;
  if (isBinary && registry.lacksFile(type, normalized))
    return { code: 'value_invalid', message: 'The envelope has no file.' };
  return typeof normalized === 'string' ? normalized : JSON.stringify(normalized);
}

function plainOf(input: FlowAnswerInput): unknown {
  if (input instanceof PlainDate) return input.toString();
  return typeof input === 'number' || typeof input === 'boolean' ? String(input) : input;
}

function envelopeOf(type: string, input: FlowFileInput, registry: FieldTypeRegistry): unknown {
  if (typeof input !== 'object' || input === null) return input;
  if ('envelope' in input) return input.envelope;
  const { name: originalName, ...file } = input.file;
  return registry.resolve(type)?.lane === 'photo'
    ? buildPhotoEnvelope({ full: file })
    : buildFileEnvelope({ file: { ...file, originalName } });
}

/** @throws ConflictError `sdk.plugin_picks_invalid`; SymbolonError when the plugin gives no outputs */
async function pluginText(
  { slug, plugin }: FlowPlugin,
  input: FlowAnswerInput,
  { plugins, values }: { plugins: PluginFields; values: Values },
): Promise<string> {
  const filled = input as FlowPluginInput;
  if ('answer' in filled) return filled.answer;
  const { blocks } = filled;
  const picks: Record<string, string> = {};
  const typed: Record<string, string | number> = {};
  for (const [key, value] of Object.entries(blocks)) {
    if (typeof value === 'object') picks[key] = value.id;
    else if (value !== undefined) typed[key] = value;
  }
  const inputs = Object.fromEntries(
    Object.entries(plugin.inputs ?? {}).map(([key, from]) => [key, scalarOf(values.get(from))]),
  );
  const computed = await plugins.outputs(slug, { picks, values: typed, inputs });
  if ('picksInvalid' in computed) {
    const message = 'Something that was picked is no longer offered by the plugin.';
    throw new ConflictError({ errorKey: 'sdk.plugin_picks_invalid', message, details: { slug } });
  }
  return pluginAnswer(await plugins.spec(slug), blocks, computed.outputs);
}

function scalarOf(value: unknown): string | number | boolean | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' || typeof value === 'boolean' ? value : textOf(value);
}
