import { parseIfText, plaintextOf } from './json.ts';
import { checkOption } from './primitives.ts';
import { accept, type Outcome, refuse, within } from './result.ts';
import { checkText } from './text.ts';
import { patternMismatch } from './validate-text.ts';

export interface MultilistRule {
  readonly options: readonly string[];
  readonly validations: readonly string[];
}

/**
 * A JSON array of strings, or its text; each one of the options (wire 2.4). No picks at all is an empty
 * value.
 */
export function validateMultilist(rule: MultilistRule, value: unknown): Outcome<string[]> {
  const items = parseIfText(value);
  if (!Array.isArray(items)) return refuse('array_expected', 'The value is a JSON array of strings.');
  const picks: string[] = [];
  for (const [index, item] of items.entries()) {
    const text = checkText(item);
    const pick = text.valid ? checkOption(text.normalized, rule.options) : text;
    if (!pick.valid) return pick.code === 'options_unavailable' ? pick : within(index, pick);
    picks.push(pick.normalized);
  }
  if (picks.length === 0) return accept(picks);
  return patternMismatch(rule.validations, plaintextOf(value)) ?? accept(picks);
}
