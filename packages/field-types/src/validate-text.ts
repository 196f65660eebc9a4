import type { FieldCheck, FieldInput } from '@symbolon/protocol';
import { textChecks } from './checks.ts';
import { compilePattern } from './pattern.ts';
import { textPrimitives } from './primitives.ts';
import { accept, type Outcome, type Refused, refuse } from './result.ts';
import { checkText } from './text.ts';

/** What a single string has to satisfy: a whole type, or one entry of a composite or a file. */
export interface TextRule {
  readonly input: FieldInput;
  readonly check: FieldCheck | null;
  readonly options: readonly string[];
  readonly validations: readonly string[];
}

/**
 * One non-empty string: its primitive, then its check, then every regex on the normal form (wire 2.4,
 * validation order).
 */
export function validateText(rule: TextRule, value: unknown): Outcome<string> {
  const text = checkText(value);
  if (!text.valid) return text;
  const shaped = textPrimitives.get(rule.input)?.(text.normalized, rule.options) ?? text;
  if (!shaped.valid) return shaped;
  const check = rule.check === null ? undefined : textChecks.get(rule.check);
  const checked = check?.(shaped.normalized) ?? shaped;
  if (!checked.valid) return checked;
  return patternMismatch(rule.validations, checked.normalized) ?? accept(checked.normalized);
}

/**
 * Every regex, root first, on the whole value; undefined when all match. Absent text matches
 * none.
 */
export function patternMismatch(
  validations: readonly string[],
  text: string | undefined,
): Refused | undefined {
  const matches = validations.every((source) => text !== undefined && compilePattern(source).matches(text));
  return matches
    ? undefined
    : refuse('pattern_mismatch', 'The value does not match the validation of its type.');
}
