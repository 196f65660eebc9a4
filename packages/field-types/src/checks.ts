import type { FieldCheck } from '@symbolon/protocol';
import { accept, type Outcome, refuse } from './result.ts';

/** A check beyond the regex: the normal form of a text, or why it is refused (wire 2.4). */
export type TextCheck = (text: string) => Outcome<string>;

/** The named checks of a text, by their name in the registry; `pdf` is a check of files. */
export const textChecks: ReadonlyMap<FieldCheck, TextCheck> = new Map<FieldCheck, TextCheck>([
  ['url', checkUrl],
  ['card', checkCard],
  ['number', checkNumber],
  ['integer', checkInteger],
  ['decimal', checkDecimal],
  ['float', checkFloat],
]);

/**
 * A web address. `https://` is put before a text without `<scheme>://`; the result must match
 * `^https?://[^\s/$.?#][^\s]*\.[^\s]{2,}$`, ignoring case. The normal form has the scheme.
 */
export function checkUrl(text: string): Outcome<string> {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  // Without white space the regex cannot backtrack, so it stays linear.
  if (/\s/.test(url) || !/^https?:\/\/[^\s/$.?#][^\s]*\.[^\s]{2,}$/i.test(url)) {
    return refuse('url_invalid', 'The value is no web address.');
  }
  return accept(url);
}

/**
 * A payment card number: 12 to 19 ASCII digits after removing space and `-`, with a right Luhn digit (ISO/IEC
 * 7812-1). The normal form is the digits.
 */
export function checkCard(text: string): Outcome<string> {
  const digits = text.replace(/[ -]/g, '');
  if (!/^[0-9]{12,19}$/.test(digits) || !hasLuhnDigit(digits)) {
    return refuse('card_invalid', 'The value is no card number.');
  }
  return accept(digits);
}

/**
 * A finite number: after trimming, an optional sign, ASCII digits with an optional decimal point (digits on
 * at least one side of it) and an optional exponent: `[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?`,
 * within the range of an IEEE 754 double. So neither hex nor `Infinity` nor `1e999`, neither grouping nor a
 * decimal comma. The normal form is the trimmed text, digits as written.
 */
export function checkNumber(text: string): Outcome<string> {
  const trimmed = text.trim();
  const isNumber =
    /^[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?$/.test(trimmed) && Number.isFinite(Number(trimmed));
  return isNumber ? accept(trimmed) : refuse('number_invalid', 'The value is no finite number.');
}

/** A whole number of any size: after trimming, `-?[0-9]+`. The normal form is the trimmed text. */
export function checkInteger(text: string): Outcome<string> {
  const trimmed = text.trim();
  return /^-?[0-9]+$/.test(trimmed)
    ? accept(trimmed)
    : refuse('integer_invalid', 'The value is no whole number.');
}

/**
 * After trimming, `-?[0-9]{1,8}(\.[0-9]{1,2})?`: a fixed shape, never a precision of one field. The normal
 * form is the trimmed text.
 */
export function checkDecimal(text: string): Outcome<string> {
  const trimmed = text.trim();
  return /^-?[0-9]{1,8}(\.[0-9]{1,2})?$/.test(trimmed)
    ? accept(trimmed)
    : refuse('decimal_invalid', 'The value is no number of at most 8 digits and 2 decimals.');
}

/** After trimming, `-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?`. The normal form is the trimmed text. */
export function checkFloat(text: string): Outcome<string> {
  const trimmed = text.trim();
  return /^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$/.test(trimmed)
    ? accept(trimmed)
    : refuse('float_invalid', 'The value is no floating point number.');
}

function hasLuhnDigit(digits: string): boolean {
  let sum = 0;
  for (let place = 1; place <= digits.length; place++) {
    const digit = Number(digits[digits.length - place]);
    const doubled = place % 2 === 0 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
