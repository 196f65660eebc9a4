/**
 * A base URL as clients get it: as `URL` writes it, so that comparing it to the letter is right, and without a trailing slash.
 * @returns undefined for what cannot be one: another scheme, blanks, a user, a query, a fragment, or a host that cannot answer
 */
export function baseUrlOf(text: string): string | undefined {
  if (/[\s?#\\]|^[^/]*\/\/[^/]*@/.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, hostname, origin, pathname } = new URL(text);
  const isWeb = protocol === 'http:' || protocol === 'https:';
  if (!isWeb || !isHost(hostname)) return undefined;
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

/** An address of one machine, which all addresses of a machine together are not; a name without a part that is empty or stands for any. */
function isHost(name: string): boolean {
  if (name === '0.0.0.0' || name === '[::]') return false;
  const labels = name.replace(/\.$/, '').split('.');
  return labels.every((label) => label !== '' && !label.includes('*'));
}
