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
  const { definition, fieldTypes, answers, referenceDate } = state;
  const onWay = new Set(way);
  const values = new Map<string, unknown>();
  for (const element of answerElements(definition, onWay)) {
    const answer = answers.get(element.slug);
    if (!isAnswered(answer)) continue;
    if (element.kind === 'field') values.set(element.slug, fieldValue(element, answer, fieldTypes));
    else for (const [key, value] of pluginValues(element.slug, answer)) values.set(key, value);
  }
  return withConstants(definition.constants ?? [], { values, referenceDate });
}

/** The values as a document is filled with them: each as text, what has none left out. */
export function documentValues(values: Values): Record<string, string> {
  const texts: [string, string][] = [];
  for (const [key, value] of values) if (isAnswered(value)) texts.push([key, textOf(value)]);
  return Object.fromEntries(texts);
}

/**
 * The map of answers and constants as `valuesOf` gives it, from the texts of `documentValues`: for who was sent these alone, and
 * knows which slugs were answered on the way.
 */
export function valuesOfTexts(
  { definition, fieldTypes, referenceDate }: Omit<RunState, 'answers'>,
  texts: ReadonlyMap<string, string>,
  answered: ReadonlySet<string>,
): Values {
  const values = new Map<string, unknown>();
  for (const [key, text] of texts) if (answered.has(key.split('.', 1)[0] ?? '')) values.set(key, text);
  for (const element of answerElements(definition)) {
    if (element.kind !== 'field' || !answered.has(element.slug)) continue;
    const type = fieldTypes.resolve(element.field_type);
    const text = texts.get(element.slug);
    if (type !== undefined && type.lane !== 'inline') values.set(element.slug, FILE);
    else if (type?.input === 'multilist' && text !== undefined)
      values.set(element.slug, choicesIn(text, element));
  }
  return withConstants(definition.constants ?? [], { values, referenceDate });
}

/** The choices that a text joins; the text, when it could be read in two ways. */
function choicesIn(text: string, { options }: FlowField): unknown {
  if (text === '') return [];
  const parts = text.split(', ');
  const known = new Set(options?.map(({ value }) => value));
  const isKnown = known.size === 0 || parts.every((part) => known.has(part));
  return isKnown ? parts : text;
}

/** That a file was given: its content is no value that conditions or texts could use. */
const FILE = Object.freeze({});

/** An answer as conditions see it: choices as a list, a composite as its text, a file as a mark that it is there. */
function fieldValue(field: FlowField, answer: unknown, fieldTypes: FieldTypeRegistry): unknown {
  const type = fieldTypes.resolve(field.field_type);
  if (type === undefined) return answer;
  if (type.lane !== 'inline') return FILE;
  if (type.input !== 'multilist' && type.input !== 'composite') return answer;
  const parsed = parse(answer);
  if (Array.isArray(parsed)) return parsed;
  if (typeof parsed !== 'object' || parsed === null) return answer;
  // In the order of the type, so that the order of the members does not matter.
  const members = new Map(Object.entries(parsed));
  const entries = (type.fields ?? []).map(({ key }) => members.get(key));
  return textOf(entries.filter(isAnswered));
}

function parse(answer: unknown): unknown {
  if (typeof answer !== 'string') return answer;
  try {
    return JSON.parse(answer);
  } catch {
    return undefined;
  }
}
