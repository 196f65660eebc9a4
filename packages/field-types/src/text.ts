import { accept, type Outcome, refuse } from './result.ts';

/**
 * A plaintext string: well-formed Unicode (no lone surrogate) without NUL, so that every store can hold it.
 */
export function checkText(value: unknown): Outcome<string> {
  if (typeof value !== 'string') return refuse('string_expected', 'The value is a string.');
  if (!isCleanText(value)) return refuse('text_malformed', 'The value holds a lone surrogate or NUL.');
  return accept(value);
}

export function isCleanText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/**
 * Nothing was answered: absent, null or the empty string. Such a value is valid for every type (wire 2.4).
 */
export function isEmpty(value: unknown): value is '' | null | undefined {
  return value === '' || value === null || value === undefined;
}
