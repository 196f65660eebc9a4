import type { FieldTypeRegistry } from '@symbolon/field-types';
import { choicesOf, type FlowDefinition, type FlowElement } from '@symbolon/flows';
import type { ConditionComparison } from '@symbolon/protocol/constants';
import { optionText } from '../../../text/options.ts';
import type { Choice } from './inputs.tsx';

/** Every answer and constant that conditions, constants and inputs may name, in the order of the steps. */
export function answerChoices({ nodes, constants = [] }: FlowDefinition): Choice[] {
  const answers = nodes.flatMap(({ elements }) => elements.flatMap(keysOf));
  return [...answers, ...constants.map(({ key, label }) => named(key, label))];
}

const named = (value: string, label: string): Choice => ({
  value,
  label: label === '' || label === value ? value : `${label} (${value})`,
});

function keysOf(element: FlowElement): Choice[] {
  if (element.kind === 'text') return [];
  const own = named(element.slug, element.label);
  if (element.kind === 'field') return [own];
  const { blocks = [], outputs = [] } = element.plugin.snapshot ?? {};
  const inner = [...blocks, ...outputs].map(({ key, label }) =>
    named(`${element.slug}.${key}`, `${element.label} · ${label || key}`),
  );
  return [own, ...inner];
}

const fieldOf = ({ nodes }: FlowDefinition, slug: string) => {
  for (const { elements } of nodes) {
    for (const element of elements) if (element.kind === 'field' && element.slug === slug) return element;
  }
  return undefined;
};

/** How the answer of a field is compared: as the text of a list or an object, which is what is sealed, or as what is shown. */
export function isJsonAnswer(
  definition: FlowDefinition,
  slug: string,
  fieldTypes: FieldTypeRegistry,
): boolean {
  const type = fieldTypes.resolve(fieldOf(definition, slug)?.field_type ?? '');
  return type !== undefined && (type.lane !== 'inline' || ['multilist', 'composite'].includes(type.input));
}

/**
 * What an answer of a field can be compared with; undefined where it is no choice. All options count, also those with a condition.
 * One choice of several stands in the answer with quotation marks around it, which only a search for it finds.
 */
export function choicesFor(
  definition: FlowDefinition,
  slug: string,
  fieldTypes: FieldTypeRegistry,
  op: ConditionComparison,
  language: string,
): readonly Choice[] | undefined {
  const field = fieldOf(definition, slug);
  if (field === undefined) return undefined;
  const options = (field.options ?? []).map((option) => ({ ...option, available_if: null }));
  const type = fieldTypes.resolve(field.field_type);
  const choices = choicesOf({ ...field, options }, fieldTypes, new Map())?.map(({ value, label }) => ({
    value,
    label: optionText(type, value, language) ?? label,
  }));
  if (!isJsonAnswer(definition, slug, fieldTypes)) return choices;
  if (op !== 'contains' && op !== 'not_contains') return undefined;
  return choices?.map(({ value, label }) => ({ value: JSON.stringify(value), label }));
}

/** How the value of an answer is typed. */
export function inputFor(
  definition: FlowDefinition,
  key: string,
  fieldTypes: FieldTypeRegistry,
): 'text' | 'number' | 'date' {
  const constant = definition.constants?.find((each) => each.key === key);
  const type = fieldTypes.resolve(fieldOf(definition, key)?.field_type ?? '');
  if (type?.input === 'date' || constant?.result_type === 'date') return 'date';
  return type?.lineage.includes('number') || constant?.result_type === 'number' ? 'number' : 'text';
}
