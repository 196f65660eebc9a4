import type { Change } from '../data/change.ts';
import { SealedValue } from '../data/value.ts';
import { PlainDate } from '../values/plain-date.ts';

/** The text of a handler's failure, at most 500 characters, with everything opened for the handler taken out. */
export function failureText(error: unknown, change: Change): string {
  let text = error instanceof Error ? `${error.name}: ${error.message}` : `Thrown: ${typeof error}`;
  const secrets = [...plaintexts(change.value?.value), ...plaintexts(change.messageBody)];
  // Longest first: a short value may be part of a longer one.
  for (const secret of secrets.toSorted((a, b) => b.length - a.length)) {
    if (secret.length > 1) text = text.replaceAll(secret, '[removed]');
  }
  return text.slice(0, 500);
}

function plaintexts(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...value.split(/[\r\n]+/)];
  if (value instanceof PlainDate) return [value.toString()];
  if (typeof value !== 'object' || value === null || value instanceof SealedValue) return [];
  return Object.values(value).flatMap(plaintexts);
}
