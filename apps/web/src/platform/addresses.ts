/* How addresses are written, by country: after the layouts that the Universal Postal Union recommends. */

/** The number of the house stands before the street. */
const NUMBER_FIRST = new Set('AU CA FR GB IE IN LU MC MT NZ PH SG TH US ZA'.split(' '));
/** The city stands before the postal code. */
const CITY_FIRST = new Set('AU CA GB IE IN NZ PH SG TH US ZA'.split(' '));
/** Postal codes are digits alone. */
const DIGITS = new Set(
  'AT AU BE BG CH CN DE DK EE ES FI FR HR HU ID IN IT KR LI MX MY NO NZ PH RO RS RU SG SI TH TR UA US VN ZA'.split(
    ' ',
  ),
);

/**
 * The members of an address in the order in which they are typed. The country comes first: it decides on the others.
 * @param members of the type @param value what stands in them
 */
export function addressOrder<Member extends { readonly key: string }>(
  members: readonly Member[],
  country: string,
  value: Readonly<Record<string, unknown>>,
): Member[] {
  const street = NUMBER_FIRST.has(country) ? ['building_number', 'street'] : ['street', 'building_number'];
  const place = CITY_FIRST.has(country) ? ['city', 'state', 'postal_code'] : ['postal_code', 'city', 'state'];
  const order = ['country', ...street, 'affix', ...place];
  const rank = ({ key }: Member) => (order.includes(key) ? order.indexOf(key) : order.length);
  return (
    members
      // The states that the platform knows are those of one country. What is there is never hidden.
      .filter(({ key }) => key !== 'state' || country === 'US' || Boolean(value.state))
      .sort((one, other) => rank(one) - rank(other))
  );
}

/** Whether a phone opens the keyboard of digits for a postal code. */
export const hasDigitCodes = (country: string) => DIGITS.has(country);

/** An address on one line, as it is written in its country. @param named the names of a country and of a state */
export function addressLine(
  value: Readonly<Record<string, unknown>>,
  named: (key: string, code: string) => string,
): string {
  const text = (key: string) => named(key, String(value[key] ?? '').trim());
  const country = String(value.country ?? '');
  const join = (...parts: string[]) => parts.filter(Boolean).join(' ');
  const [street, number] = [text('street'), text('building_number')];
  const [city, code, state] = [text('city'), text('postal_code'), text('state')];
  const isCityFirst = CITY_FIRST.has(country);
  const known = new Set(['street', 'building_number', 'affix', 'city', 'postal_code', 'state', 'country']);
  return [
    NUMBER_FIRST.has(country) ? join(number, street) : join(street, number),
    text('affix'),
    ...(isCityFirst ? [city, join(state, code)] : [join(code, city), state]),
    ...Object.keys(value)
      .filter((key) => !known.has(key))
      .map(text),
    text('country'),
  ]
    .filter(Boolean)
    .join(', ');
}
