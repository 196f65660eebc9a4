import type { FlowExpression, FlowField } from '@symbolon/protocol';
import { expressionTypes } from '@symbolon/protocol/constants';
import { isOneOf } from './condition-parts.ts';
import { type Evaluation, evaluate } from './expression.ts';
import { isJsonObject, memberOf } from './json.ts';

/** Whether a value that may be a literal or an expression is an expression: its `type` is one of theirs (wire 13.1). */
export function isExpression(value: unknown): value is FlowExpression {
  return isJsonObject(value) && isOneOf(expressionTypes, memberOf(value, 'type'));
}

/** What a field that has no answer yet begins with; null for nothing. */
export function defaultOf({ default: value }: FlowField, evaluation: Evaluation): unknown {
  return (isExpression(value) ? evaluate(value, evaluation) : value) ?? null;
}

/** What an answer is bounded by; null for nothing. It is no bound for a type that it does not fit. */
export function boundOf(bound: FlowField['min'], evaluation: Evaluation): number | string | null {
  const value: unknown = isJsonObject(bound) ? evaluate(bound, evaluation) : bound;
  return typeof value === 'number' || typeof value === 'string' ? value : null;
}
