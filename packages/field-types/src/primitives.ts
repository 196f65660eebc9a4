import type { FieldInput } from '@symbolon/protocol';
import { isCountryCode } from './countries.ts';
import { accept, type Outcome, refuse } from './result.ts';
import { isUsState } from './us-states.ts';

/** The rule of a primitive whose value is one string: its normal form, or why it is refused (wire 2.4). */
export type TextPrimitive = (text: string, options: readonly string[]) => Outcome<string>;

/**
 * The primitives whose value is one string. `composite`, `multilist`, `file` and `pages` have files of their
 * own.
 */
export const textPrimitives: ReadonlyMap<FieldInput, TextPrimitive> = new Map<FieldInput, TextPrimitive>([
  ['line', accept],
  ['date', (text) => (isCalendarDate(text) ? accept(text) : refuse('date_invalid', 'The value is no date.'))],
  ['list', checkOption],
  ['country', checkCountry],
  ['nationality', checkCountry],
  [
    'state',
    (text) => (isUsState(text) ? accept(text) : refuse('state_unknown', 'The value is no US state.')),
  ],
  ['phone', checkPhone],
]);

/** Is this `YYYY-MM-DD` a day of the proleptic Gregorian calendar, years 0001 to 9999 (ISO 8601-1)? */
export function isCalendarDate(text: string): boolean {
  const parts = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
}

/** One of the options; with no options to choose from every value is refused. */
export function checkOption(text: string, options: readonly string[]): Outcome<string> {
  if (options.length === 0) return refuse('options_unavailable', 'There are no options to choose from.');
  return options.includes(text)
    ? accept(text)
    : refuse('option_unknown', 'The value is none of the options.');
}

/**
 * One string with the dial code in it: 4 to 15 ASCII digits with an optional leading `+`, after removing
 * space, `-`, `(`, `)` and `.`. The normal form is what remains.
 */
export function checkPhone(text: string): Outcome<string> {
  const phone = text.replace(/[ ().-]/g, '');
  return /^\+?[0-9]{4,15}$/.test(phone)
    ? accept(phone)
    : refuse('phone_invalid', 'The value is no phone number of 4 to 15 digits.');
}

function checkCountry(text: string): Outcome<string> {
  return isCountryCode(text) ? accept(text) : refuse('country_unknown', 'The value is no country code.');
}

function daysIn(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}
