/**
 * A base URL as clients get it: as `URL` writes it, so that comparing it to the letter is right, and without a trailing slash.
 * @returns undefined for what cannot be one: another scheme, blanks, a user, a query or a fragment
 */
export function baseUrlOf(text: string): string | undefined {
  if (/[\s?#\\]/.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, username, password, origin, pathname } = new URL(text);
  const isWeb = protocol === 'http:' || protocol === 'https:';
  if (!isWeb || username !== '' || password !== '') return undefined;
  return `${origin}${pathname}`.replace(/\/+$/, '');
}
