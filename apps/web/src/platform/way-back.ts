/**
 * Whether a browser may be sent there: to a site, or to an app by its scheme, which is a reversed domain name (RFC 8252 7.1).
 * The dot keeps `javascript:` and its kind out, whatever the answer of the platform says.
 */
export function isWayBack(address: string): boolean {
  const scheme = URL.parse(address)?.protocol.slice(0, -1) ?? '';
  return scheme === 'https' || scheme === 'http' || scheme.includes('.');
}
