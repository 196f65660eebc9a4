import { isIP } from 'node:net';
import type { ResolvedAddress } from './resolver.ts';
import { checkTargetUrl, isLoopbackHost, type TargetUrlOptions, withoutBrackets } from './target-url.ts';

/** An address that passed, taken apart. */
export interface Target {
  /** Scheme, host and port: what a connection belongs to. */
  origin: string;
  /** The host as DNS and TLS know it: an IPv6 address without brackets. */
  host: string;
  port: number;
  secure: boolean;
  path: string;
  /** Where the host is known to be without asking: an address, already checked, or this machine. */
  addresses: readonly ResolvedAddress[] | undefined;
}

/** RFC 6761 6.3: `localhost` is this machine, whatever a resolver might say. */
const LOCALHOST: readonly ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Takes an address apart; a text is the reason why it is refused. */
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
  return isLoopbackHost(host) ? LOCALHOST : undefined;
}
