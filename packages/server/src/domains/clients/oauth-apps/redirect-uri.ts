import { isPrivateAddress } from '../../../core/ip-address.ts';

/** Hosts that are this machine alone (RFC 8252 7.3 and 8.3). */
const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost']);
/** Printable ASCII without blanks. */
const PRINTABLE = /^[\x21-\x7e]+$/;

/**
 * What is wrong with a redirect URI; undefined when nothing is. It is an absolute URI without fragment (RFC 6749 3.1.2)
 * by https, by http to this machine, or by the scheme of an app, which is a reversed domain name (RFC 8252 7.1). The dot
 * that such a scheme has keeps `javascript:`, `data:`, `file:` and their kind out as well.
 * @param privateHttp whether http may also lead to private addresses: for development alone
 */
export function redirectUriProblem(text: string, privateHttp = false): string | undefined {
  if (!PRINTABLE.test(text) || /[\\<>"`{}|^]/.test(text))
    return inPunycode(text) ?? 'has a character that is not allowed in a URI';
  if (text.includes('#')) return 'has a fragment';
  if (!URL.canParse(text)) return 'is not an absolute URI';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'has a user name or password';
  const scheme = url.protocol.slice(0, -1);
  if (scheme === 'https' || scheme === 'http') {
    // The text is what is matched; a browser would read another address out of `https:example.com`.
    if (!/^https?:\/\/[^/]/i.test(text)) return 'is not an absolute URI';
    if (url.hostname.includes('*')) return 'has a wildcard';
    if (scheme === 'https' || LOOPBACK.has(url.hostname)) return undefined;
    if (privateHttp && isPrivateAddress(url.hostname.replace(/^\[(.+)\]$/, '$1'))) return undefined;
    return 'must use https: http is for loopback addresses alone';
  }
  return scheme.includes('.')
    ? undefined
    : 'must use https, http on loopback, or the reversed domain name of an app as its scheme';
}

/** What to do about a host in Unicode: a redirect URI is compared to the letter, so it is not rewritten. */
function inPunycode(text: string): string | undefined {
  const host = /^https?:\/\/([^/?#]*)/i.exec(text)?.[1] ?? '';
  if (PRINTABLE.test(host) || !URL.canParse(text)) return undefined;
  return `has a host that is not ASCII: write it in punycode, ${new URL(text).host}`;
}
