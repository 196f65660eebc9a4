import { SealedValue } from '../data/value.ts';
import { PlainDate } from '../values/plain-date.ts';

/** Of a change, what its handler may repeat in an error. */
type Opened = { value?: { value?: unknown } | undefined; messageBody?: unknown };

/** The text of a handler's failure, at most 500 characters, with everything opened for the handler taken out. */
export function failureText(error: unknown, change: object): string {
  let text = error instanceof Error ? `${error.name}: ${error.message}` : `Thrown: ${typeof error}`;
  const { value, messageBody }: Opened = change;
  const secrets = [...plaintexts(value?.value), ...plaintexts(messageBody)];
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
