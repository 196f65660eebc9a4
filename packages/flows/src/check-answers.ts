import { type FieldTypeRegistry, isCalendarDate } from '@symbolon/field-types';
import type { FlowField, FlowNode } from '@symbolon/protocol';
import { boundOf } from './computed.ts';
import { holds } from './condition.ts';
import type { Evaluation } from './expression.ts';
import { pluginValues } from './plugin-answer.ts';
import type { RunState } from './run-values.ts';
import { isAnswered, numberOf, orderOf, type Values } from './values.ts';

/** Why a step cannot be submitted as it is answered. Stable codes. */
export interface AnswerIssue {
  readonly code: 'required' | 'value_invalid' | 'option_unavailable' | 'below_min' | 'above_max';
  readonly slug: string;
  /** For whoever answers; never holds any part of the answer. */
  readonly message: string;
}

/** One of the choices of a field. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/**
 * What is wrong with the answers of one step; empty when it can be submitted (wire 13.7). Only this step is looked at: what
 * other branches require does not matter.
 *
 * @param values The answers of the way up to this step, its own included.
 */
export function checkAnswers(
  node: FlowNode,
  { answers, fieldTypes, referenceDate }: Omit<RunState, 'definition'>,
  values: Values,
): AnswerIssue[] {
  const issues: AnswerIssue[] = [];
  for (const element of node.elements) {
    if (element.kind === 'text') continue;
    const answer = answers.get(element.slug);
    const add = (code: AnswerIssue['code'], message: string) =>
      issues.push({ code, slug: element.slug, message });
    const isFinished =
      element.kind === 'field' ? isAnswered(answer) : !pluginValues(element.slug, answer).next().done;
    if (!isFinished) {
      if (element.required) add('required', 'This is required.');
    } else if (element.kind === 'field') {
      const found = fieldIssue(element, answer, fieldTypes, { values, referenceDate });
      if (found !== undefined) add(...found);
    }
  }
  return issues;
}

/**
 * The choices that a field offers; null for a field that is no choice (wire 13.1). A type with options of its own offers
 * those; they and the options of the element are never mixed.
 */
export function choicesOf(
  field: FlowField,
  fieldTypes: FieldTypeRegistry,
  values: Values,
): readonly Choice[] | null {
  const type = fieldTypes.resolve(field.field_type);
  if (type?.input !== 'list' && type?.input !== 'multilist') return null;
  const own = type.options ?? [];
  if (own.length > 0) return own.map((value) => ({ value, label: value }));
  return (field.options ?? [])
    .filter(({ available_if: condition }) => holds(condition, values))
    .map(({ value, label }) => ({ value, label }));
}

type Found = [code: AnswerIssue['code'], message: string];

function fieldIssue(
  field: FlowField,
  answer: unknown,
  fieldTypes: FieldTypeRegistry,
  evaluation: Evaluation,
): Found | undefined {
  const options = (field.options ?? []).map(({ value }) => value);
  const result = fieldTypes.validate(field.field_type, answer, { options });
  if (!result.valid) return ['value_invalid', result.message];
  const choices = choicesOf(field, fieldTypes, evaluation.values);
  if (choices !== null) {
    const offered = new Set(choices.map(({ value }) => value));
    const picks: readonly unknown[] = Array.isArray(result.normalized) ? result.normalized : [answer];
    if (picks.some((pick) => typeof pick !== 'string' || !offered.has(pick)))
      return ['option_unavailable', 'This option cannot be chosen.'];
  }
  return boundIssue(field, answer, fieldTypes, evaluation);
}

/** Bounds of numbers and dates. */
function boundIssue(
  field: FlowField,
  answer: unknown,
  fieldTypes: FieldTypeRegistry,
  evaluation: Evaluation,
): Found | undefined {
  const type = fieldTypes.resolve(field.field_type);
  const isDate = type?.input === 'date';
  if (!isDate && !type?.lineage.includes('number')) return undefined;
  const isBound = (bound: unknown) =>
    isDate ? typeof bound === 'string' && isCalendarDate(bound) : numberOf(bound) !== undefined;
  const [min, max] = [boundOf(field.min, evaluation), boundOf(field.max, evaluation)];
  if (isBound(min) && (orderOf(answer, min) ?? 0) < 0) return ['below_min', `The least is ${min}.`];
  if (isBound(max) && (orderOf(answer, max) ?? 0) > 0) return ['above_max', `The most is ${max}.`];
  return undefined;
}
