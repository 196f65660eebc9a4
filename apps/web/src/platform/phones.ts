import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

/* Telephone numbers by the plans of countries. The tables are large: pages load this file when there is a number to show or to type. */

const parsed = (text: string, country?: string) =>
  // Many countries dial 00 in place of the sign.
  parsePhoneNumberFromString(text.trim().replace(/^00/, '+'), supported(country));

const supported = (country: string | undefined): CountryCode | undefined =>
  country !== undefined && isSupportedCountry(country) ? country : undefined;

/** A number as it is stored, with the code of its country; undefined for a text that is no number. */
export function wholePhone(text: string, country: string): string | undefined {
  const phone = parsed(text, country);
  return phone?.isPossible() ? phone.number : undefined;
}

/** The country whose code a number says; undefined where it says none, or one that several countries share. */
export function countryOfPhone(text: string): string | undefined {
  return parsed(text)?.country;
}

/** A number with the code of its country, in groups that people read; another text stays as it is. */
export function shownPhone(text: string): string {
  return parsed(text)?.formatInternational() ?? text;
}

/** The same number in another country. */
export function movedPhone(text: string, country: string): string {
  const [phone, code] = [parsed(text), dialCode(country)];
  return phone && code ? `+${code} ${phone.nationalNumber}` : text;
}

/** What is dialled before numbers of a country; undefined where it has no plan of its own. */
export function dialCode(country: string): string | undefined {
  const known = supported(country);
  return known && getCountryCallingCode(known);
}
