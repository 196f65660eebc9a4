import { BlockList, isIP } from 'node:net';

/** Which proxies in front of the platform are believed about the address of a caller. */
export type TrustedProxies =
  /** So many of them, whatever their addresses. */
  | { readonly hops: number }
  /** Those in these networks. */
  | { readonly networks: BlockList };

const HOPS = /^(?:[1-9]|1\d|20)$/;

/**
 * Reads `SYMBOLON_TRUST_PROXY`: false, a number of hops (true is one), or addresses and networks (CIDR).
 * @returns undefined for invalid text, `proxies` undefined when no proxy is trusted
 */
export function readTrustedProxies(text: string): { proxies: TrustedProxies | undefined } | undefined {
  if (text === 'false' || text === '0') return { proxies: undefined };
  if (text === 'true') return { proxies: { hops: 1 } };
  if (HOPS.test(text)) return { proxies: { hops: Number(text) } };
  const networks = new BlockList();
  for (const entry of text.split(',')) {
    const [address = '', prefix, ...rest] = entry.trim().split('/');
    const version = isIP(address);
    const most = version === 4 ? 32 : 128;
    const bits = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : most + 1;
    if (version === 0 || address.includes('%') || bits > most || rest.length > 0) return undefined;
    networks.addSubnet(address, bits, version === 4 ? 'ipv4' : 'ipv6');
  }
  return { proxies: { networks } };
}

/**
 * The address of a caller behind proxies. Each proxy appends to X-Forwarded-For the address that called it, so the header is
 * read from the right; what stands to the left of the last trusted proxy is what the caller wrote.
 * @param socketAddress who called this process
 * @returns the socket's address too when the header has no address in that place
 */
export function callerAddress(socketAddress: string, forwardedFor: string, trusted: TrustedProxies): string {
  let address = socketAddress;
  let rest = forwardedFor;
  for (let hop = 0; rest !== '' && isTrusted(address, hop, trusted); hop++) {
    const comma = rest.lastIndexOf(',');
    address = rest.slice(comma + 1).trim();
    rest = comma < 0 ? '' : rest.slice(0, comma);
  }
  return isIP(address) === 0 || address.includes('%') ? socketAddress : address;
}

function isTrusted(address: string, hop: number, trusted: TrustedProxies): boolean {
  if ('hops' in trusted) return hop < trusted.hops;
  const version = isIP(address);
  return version !== 0 && trusted.networks.check(address, version === 4 ? 'ipv4' : 'ipv6');
}
