import { isCalendarDate, type ResolvedFieldType, usStates } from '@symbolon/field-types';
import { optionText } from '../text/options.ts';
import { addressLine } from './addresses.ts';
import { numberAsTyped } from './numbers.ts';

/** An option of a list, and what it is called. */
export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** How a value is shown on one line. Of a secret that is its end alone: whoever needs the whole asks for it. */
export const shownValue = (
  text: string,
  type: ResolvedFieldType | undefined,
  language: string,
  choices: readonly Choice[] = [],
): string => (isMasked(type) ? maskedValue(text, type) : wholeValue(text, type, language, choices));

/** A value as people write it, whole: countries by their names, days in words, addresses as in their countries. */
export function wholeValue(
  text: string,
  type: ResolvedFieldType | undefined,
  language: string,
  choices: readonly Choice[] = [],
): string {
  if (type === undefined) return text;
  const optionOf = (option: string) =>
    optionText(type, option, language) ?? choices.find(({ value }) => value === option)?.label ?? option;
  if (type.input === 'list') return optionOf(text);
  if (type.lineage.includes('number')) return numberAsTyped(text, language);
  if (type.input !== 'composite' && type.input !== 'multilist') return named(text, type.input, language);
  const value = parsed(text);
  if (Array.isArray(value)) return value.map((each) => optionOf(String(each))).join(', ');
  if (typeof value !== 'object' || value === null) return text;
  const inputs = new Map(type.fields?.map(({ key, input }) => [key, input]));
  if (type.lineage.includes('address'))
    return addressLine(value as Record<string, unknown>, (key, member) =>
      named(member, inputs.get(key), language),
    );
  const members = Object.entries(value).filter(([, member]) => Boolean(member));
  return members.map(([key, member]) => named(String(member), inputs.get(key), language)).join(', ');
}

/** The types that are secret, with the member that they are known by. */
const SECRETS: Readonly<Record<string, string | undefined>> = {
  creditcard: 'number',
  bank: 'account_number',
  personal_number: undefined,
};

const secretOf = (type: ResolvedFieldType | undefined) => type?.lineage.find((each) => each in SECRETS);

/** Whether less is shown than it holds. */
export const isMasked = (type: ResolvedFieldType | undefined): type is ResolvedFieldType =>
  secretOf(type) !== undefined;

function maskedValue(text: string, type: ResolvedFieldType): string {
  if (type.input !== 'composite') return masked(text);
  const value = parsed(text);
  const member = SECRETS[secretOf(type) ?? ''] ?? '';
  return masked(typeof value === 'object' && value !== null ? String(Reflect.get(value, member) ?? '') : '');
}

/** The end of a secret: never more than a quarter, so that it does not give away a short one. */
export function masked(text: string): string {
  const letters = text.replace(/[^\p{L}\p{N}]/gu, '');
  const open = Math.min(4, Math.floor(letters.length / 4));
  return `•••• ${letters.slice(letters.length - open)}`.trim();
}

/** The name of what is stored as a code. */
export function named(text: string, input: string | undefined, language: string): string {
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

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
