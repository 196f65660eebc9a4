import { isCalendarDate, type ResolvedFieldType, usStates } from '@symbolon/field-types';
import { addressLine } from './addresses.ts';
import { numberAsTyped } from './numbers.ts';

/**
 * How a value is shown: countries by their names, days as people write them, addresses as in their countries, and of a card its last digits
 * alone. Whoever needs the whole card copies it.
 */
export function shownValue(text: string, type: ResolvedFieldType | undefined, language: string): string {
  if (type === undefined) return text;
  if (isMasked(type)) return maskedCard(text);
  if (type.lineage.includes('number')) return numberAsTyped(text, language);
  if (type.input !== 'composite' && type.input !== 'multilist') return named(text, type.input, language);
  const value = parsed(text);
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value !== 'object' || value === null) return text;
  const inputs = new Map(type.fields?.map(({ key, input }) => [key, input]));
  if (type.lineage.includes('address'))
    return addressLine(value as Record<string, unknown>, (key, member) =>
      named(member, inputs.get(key), language),
    );
  const members = Object.entries(value).filter(([, member]) => Boolean(member));
  return members.map(([key, member]) => named(String(member), inputs.get(key), language)).join(', ');
}

/** Whether less is shown than it holds. */
export const isMasked = (type: ResolvedFieldType | undefined): boolean =>
  type?.lineage.includes('creditcard') ?? false;

function maskedCard(text: string): string {
  const value = parsed(text);
  const number = typeof value === 'object' && value !== null ? Reflect.get(value, 'number') : undefined;
  return `•••• ${String(number ?? '')
    .replace(/\D/g, '')
    .slice(-4)}`.trim();
}

/** The name of what is stored as a code. */
function named(text: string, input: string | undefined, language: string): string {
  if (input === 'state') return usStates.find(({ code }) => code === text)?.name ?? text;
  if (input === 'date' && isCalendarDate(text)) return dayOf(text, language);
  // Two letters: the names throw on anything else.
  if ((input !== 'country' && input !== 'nationality') || !/^[A-Z]{2}$/.test(text)) return text;
  return new Intl.DisplayNames(language, { type: 'region' }).of(text) ?? text;
}

/** A day is the same everywhere: no time zone moves it. */
const dayOf = (text: string, language: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
    Date.parse(`${text}T00:00:00Z`),
  );

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
