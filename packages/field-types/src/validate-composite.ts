import type { FieldTypeEntry } from '@symbolon/protocol';
import { membersOf, parseIfText, plaintextOf, pointerSegment } from './json.ts';
import { accept, type Outcome, refuse, within } from './result.ts';
import { isEmpty } from './text.ts';
import { patternMismatch, validateText } from './validate-text.ts';

export interface CompositeRule {
  readonly fields: readonly FieldTypeEntry[];
  readonly validations: readonly string[];
}

type Members = { [key: string]: unknown };

/**
 * A JSON object keyed by the entries, or its text (wire 2.4). The normal form holds the non-empty entries.
 */
export function validateComposite(rule: CompositeRule, value: unknown): Outcome<Members> {
  const members = membersOf(parseIfText(value));
  if (members === undefined) return refuse('object_expected', 'The value is a JSON object.');
  const mismatch =
    rule.validations.length > 0 ? patternMismatch(rule.validations, plaintextOf(value)) : undefined;
  return mismatch ?? validateEntries(rule.fields, members);
}

/**
 * No unknown key, every required entry there, each non-empty entry valid by itself; the non-empty ones in
 * normal form.
 */
export function validateEntries(
  fields: readonly FieldTypeEntry[],
  members: ReadonlyMap<string, unknown>,
): Outcome<Members> {
  const keys = new Set(fields.map(({ key }) => key));
  for (const key of members.keys()) {
    if (keys.has(key)) continue;
    const unknown = refuse('entry_unknown', 'The type has no such entry.');
    const segment = pointerSegment(key);
    return segment === undefined ? unknown : within(segment, unknown);
  }
  const normalized: [string, string][] = [];
  for (const entry of fields) {
    const value = members.get(entry.key);
    if (isEmpty(value)) {
      if (entry.required) return within(entry.key, refuse('entry_missing', 'This entry is required.'));
      continue;
    }
    const result = validateText(ruleOf(entry), value);
    if (!result.valid) return within(entry.key, result);
    normalized.push([entry.key, result.normalized]);
  }
  return accept(Object.fromEntries(normalized));
}

function ruleOf(entry: FieldTypeEntry) {
  return {
    input: entry.input,
    check: entry.check,
    options: entry.options ?? [],
    validations: entry.validation === null ? [] : [entry.validation],
  };
}
