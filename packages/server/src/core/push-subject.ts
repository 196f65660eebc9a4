import { isIP } from 'node:net';
import { ConfigError } from './config-error.ts';

/** Names that cannot be reached from outside (RFC 2606, RFC 6761, RFC 6762), in which Apple's push service finds no subject. */
const RESERVED = ['localhost', 'local', 'internal', 'home.arpa', 'test', 'invalid', 'example'];
const EXAMPLES = ['example.com', 'example.net', 'example.org'];

/**
 * The contact of this platform for push services (RFC 8292 section 2.1): an address or a page that exists, as far as
 * its text tells. Some push services refuse every message with another one.
 * @throws {ConfigError}
 */
export function readPushSubject(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const host = /^mailto:[^\s@<>,?&#%"]{1,64}@([^\s@<>,?&#%"/:]+)$/.exec(text)?.[1] ?? hostOfPage(text);
  if (host !== undefined && text.length <= 254 && isReachable(host.toLowerCase())) return text;
  throw new ConfigError(
    'SYMBOLON_PUSH_SUBJECT takes an address or a page where push services reach you, such as mailto:push@ followed by your own domain, or https:// and a page of yours. localhost, .local and example domains are refused: some push services take no message with them.',
  );
}

function hostOfPage(text: string): string | undefined {
  if (/\s/.test(text)) return undefined;
  const url = URL.parse(text);
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '' && url.port === '';
  return isPlain ? url.hostname : undefined;
}

function isReachable(host: string): boolean {
  const labels = host.split('.');
  const isName =
    labels.length > 1 && labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  const isWithin = (name: string) => host === name || host.endsWith(`.${name}`);
  return isName && isIP(host) === 0 && !RESERVED.some(isWithin) && !EXAMPLES.some(isWithin);
}
