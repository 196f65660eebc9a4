import { isIP } from 'node:net';
import { isLoopbackHost } from '../core/ip-address.ts';
import { isPublicAddress } from './address.ts';

export interface TargetUrlOptions {
  /** For development: also http or https on any port of this machine. */
  allowLoopback: boolean;
}

const MAX_LENGTH = 2048;
/** The URL parser drops or replaces these silently, so two programs could read two different addresses. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const AMBIGUOUS = /[\u0000-\u0020\u007f\\]/;
const PRIVATE_SUFFIXES = ['.localhost', '.local', '.internal'];

/**
 * Why the platform does not call this URL, as a sentence for people; undefined when it does. What the host resolves to is
 * checked when a request is sent (wire 2.8, 2.9).
 */
export function checkTargetUrl(url: string, options: TargetUrlOptions): string | undefined {
  if (url.length > MAX_LENGTH) return `The address is longer than ${MAX_LENGTH} characters.`;
  if (AMBIGUOUS.test(url)) return 'The address contains white space, a control character or a backslash.';
  if (!/^https?:\/\/[^/]/i.test(url)) return 'The address must begin with https://.';
  const parsed = URL.parse(url);
  if (parsed === null) return 'The address is not a valid URL.';
  // The parser drops an empty one.
  if (/^https?:\/\/[^/?#]*@/i.test(url)) {
    return 'The address must not contain a user name or password.';
  }
  // In a serialized URL a number sign always begins a fragment, which may be empty.
  if (parsed.href.includes('#')) return 'The address must not contain a fragment.';
  if (options.allowLoopback && isLoopbackHost(parsed.hostname)) return undefined;
  if (parsed.protocol !== 'https:') return 'The address must begin with https://.';
  if (parsed.port !== '') return 'The address must use port 443.';
  return checkHost(parsed.hostname);
}

/** A host as URL serializes it, without the brackets of IPv6. */
export function withoutBrackets(hostname: string): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
}

function checkHost(hostname: string): string | undefined {
  const literal = withoutBrackets(hostname);
  if (isIP(literal) !== 0) {
    return isPublicAddress(literal) ? undefined : 'The host is not a public address.';
  }
  if (hostname === 'localhost' || PRIVATE_SUFFIXES.some((suffix) => hostname.endsWith(suffix))) {
    return 'The host is a name of a local network.';
  }
  // Certificates and SNI (RFC 6066) have names without a final dot.
  if (hostname.endsWith('.')) return 'The host must not end in a dot.';
  if (!hostname.includes('.')) return 'The host must be a full domain name.';
  return undefined;
}
