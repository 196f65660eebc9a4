import { membersOf, parseIfText } from './json.ts';
import { accept, refuse, type ValidationResult } from './result.ts';
import { isCleanText, isEmpty } from './text.ts';

/**
 * A type missing from the caller's copy accepts anything (wire 9). Strings, arrays and objects come back as
 * they are.
 */
export function validateUnknown(value: unknown): ValidationResult {
  if (isEmpty(value)) return accept('');
  if (Array.isArray(value)) return accept(value);
  if (typeof value === 'object' && value !== null) return accept({ ...value });
  return accept(String(value));
}

/**
 * A plugin answer is a self-describing JSON object, sealed as text (wire 2.4). Only its plugin knows its members.
 */
export function validatePluginAnswer(value: unknown): ValidationResult {
  if (isEmpty(value)) return accept('');
  if (typeof value === 'string' && !isCleanText(value)) {
    return refuse('text_malformed', 'The value holds a lone surrogate or NUL.');
  }
  const members = membersOf(parseIfText(value));
  if (members === undefined) return refuse('object_expected', 'The value is the JSON text of an object.');
  return accept(Object.fromEntries(members));
}
