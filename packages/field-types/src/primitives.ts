import type { FieldInput } from '@symbolon/protocol';
import { isCalendarDate } from './calendar-date.ts';
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
