import { isIP } from 'node:net';
import type { ResolvedAddress } from './resolver.ts';
import { checkTargetUrl, type TargetUrlOptions, withoutBrackets } from './target-url.ts';

/** A URL that passed the check, in its parts. */
export interface Target {
  /** Scheme, host and port. A socket belongs to one origin. */
  origin: string;
  /** The host for DNS and TLS: IPv6 without brackets. */
  host: string;
  port: number;
  secure: boolean;
  path: string;
  /** Known without the resolver: of an IP address, which is already checked, and of localhost. */
  addresses: readonly ResolvedAddress[] | undefined;
}

/** RFC 6761 6.3: `localhost` is always this machine, whatever a resolver says. */
const LOCALHOST: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Parses and checks a URL; a text is the reason why it is refused. */
export function readTarget(url: string, options: TargetUrlOptions): Target | string {
  const refusal = checkTargetUrl(url, options);
  if (refusal !== undefined) return refusal;
  const { origin, hostname, port, protocol, pathname, search } = new URL(url);
  const host = withoutBrackets(hostname);
  const secure = protocol === 'https:';
  return {
    origin,
    host,
    port: port === '' ? (secure ? 443 : 80) : Number(port),
    secure,
    path: pathname + search,
    addresses: knownAddresses(host),
  };
}

function knownAddresses(host: string): readonly ResolvedAddress[] | undefined {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family: family === 6 ? 6 : 4 }];
  return host === 'localhost' ? LOCALHOST : undefined;
}
