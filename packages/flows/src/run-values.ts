import type { FieldTypeRegistry } from '@symbolon/field-types';
import type { FlowDefinition, FlowField } from '@symbolon/protocol';
import { withConstants } from './constants.ts';
import { answerElements } from './known-keys.ts';
import { pluginValues } from './plugin-answer.ts';
import { isAnswered, textOf, type Values } from './values.ts';

/** What a run is evaluated with. */
export interface RunState {
  readonly definition: FlowDefinition;
  readonly fieldTypes: FieldTypeRegistry;
  /** The opened answers by slug: what was sealed, a text or JSON as text. */
  readonly answers: ReadonlyMap<string, unknown>;
  /** The day on which the run started, in UTC: `YYYY-MM-DD`. */
  readonly referenceDate: string;
}

/**
 * The map of answers and constants (wire 13.5, 13.7).
 *
 * @param way The keys of the nodes on the way of the run. An answer of any other node counts for nothing.
 */
export function valuesOf(state: RunState, way: Iterable<string>): Values {
  const { definition, answers, referenceDate } = state;
  const onWay = new Set(way);
  const values = new Map<string, unknown>();
  for (const element of answerElements(definition, onWay)) {
    const answer = answers.get(element.slug);
    if (!isAnswered(answer)) continue;
    if (element.kind === 'field') values.set(element.slug, rawValue(answer));
    else for (const [key, value] of pluginValues(element.slug, answer)) values.set(key, value);
  }
  return withConstants(definition.constants ?? [], { values, referenceDate });
}

/** An answer as it was sealed: what is JSON is compared as the text that it is, and never opened first (wire 13.3). */
function rawValue(answer: unknown): unknown {
  return typeof answer === 'object' ? JSON.stringify(answer) : answer;
}

type Typed = Pick<RunState, 'definition' | 'fieldTypes'>;

/**
 * The values as texts and documents show them, what has none left out: choices with commas between them, a composite as its
 * members in the order of its type, a file as nothing.
 *
 * @param values of `valuesOf`, or texts of its keys
 */
export function documentValues(state: Typed, values: Values): Record<string, string> {
  const fields = fieldsOf(state.definition);
  return textsOf(values, (key, value) => {
    const field = fields.get(key);
    return field === undefined ? textOf(value) : shownText(field, value, state.fieldTypes);
  });
}

/** The values as they go to whoever makes documents of them, to be read by `valuesOfTexts`: a file as nothing. */
export function bundleValues({ definition, fieldTypes }: Typed, values: Values): Record<string, string> {
  const fields = fieldsOf(definition);
  return textsOf(values, (key, value) => (isFile(fields.get(key), fieldTypes) ? '' : textOf(value)));
}

function textsOf(values: Values, textAt: (key: string, value: unknown) => string): Record<string, string> {
  const texts: [string, string][] = [];
  for (const [key, value] of values) if (isAnswered(value)) texts.push([key, textAt(key, value)]);
  return Object.fromEntries(texts);
}

function fieldsOf(definition: FlowDefinition): ReadonlyMap<string, FlowField> {
  const fields = new Map<string, FlowField>();
  for (const element of answerElements(definition))
    if (element.kind === 'field') fields.set(element.slug, element);
  return fields;
}

function isFile(field: FlowField | undefined, fieldTypes: FieldTypeRegistry): boolean {
  const type = fieldTypes.resolve(field?.field_type ?? '');
  return type !== undefined && type.lane !== 'inline';
}

/**
 * The map of answers and constants as `valuesOf` gives it, from the texts of `bundleValues`: for who was sent these alone, and
 * knows which slugs were answered on the way.
 */
export function valuesOfTexts(
  { definition, fieldTypes, referenceDate }: Omit<RunState, 'answers'>,
  texts: ReadonlyMap<string, string>,
  answered: ReadonlySet<string>,
): Values {
  const values = new Map<string, unknown>();
  for (const [key, text] of texts) if (answered.has(key.split('.', 1)[0] ?? '')) values.set(key, text);
  for (const [slug, field] of fieldsOf(definition))
    if (answered.has(slug) && isFile(field, fieldTypes)) values.set(slug, FILE);
  return withConstants(definition.constants ?? [], { values, referenceDate });
}

/** That a file was given, in the form in which answers name files: which one it is does not matter to conditions. */
const FILE = '{"_enc_file":""}';

function shownText(field: FlowField, value: unknown, fieldTypes: FieldTypeRegistry): string {
  if (isFile(field, fieldTypes)) return '';
  const type = fieldTypes.resolve(field.field_type);
  if (type?.input !== 'multilist' && type?.input !== 'composite') return textOf(value);
  const parsed = parse(value);
  if (Array.isArray(parsed)) return textOf(parsed);
  if (typeof parsed !== 'object' || parsed === null) return textOf(value);
  // In the order of the type, so that the order of the members does not matter.
  const members = new Map(Object.entries(parsed));
  const entries = (type.fields ?? []).map(({ key }) => members.get(key));
  return textOf(entries.filter(isAnswered));
}

function parse(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
