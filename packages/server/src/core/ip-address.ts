import { BlockList, isIP } from 'node:net';

/**
 * What limits count a caller's address by: an IPv4 address itself, the /64 of an IPv6 address, since a provider gives each
 * customer at least that many. Anything else stays as it is.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || isIP(address) !== 6) return address;
  const plain = address.split('%', 1)[0] ?? '';
  const groups = ipv6Groups(plain);
  const [high = 0, low = 0] = groups.slice(6);
  // IPv4-mapped, as a socket that listens on both kinds names IPv4 callers.
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** Whether an address is this machine itself: 127.0.0.0/8 or ::1. */
export function isLoopbackAddress(ip: string): boolean {
  switch (isIP(ip)) {
    case 4:
      return ip.startsWith('127.');
    case 6:
      return loopbackIPv6.check(ip, 'ipv6');
    default:
      return false;
  }
}

/** Whether a Host header names this machine itself. */
export function isLoopbackHost(host: string | undefined): host is string {
  const name = host === undefined ? undefined : /^(.+?)(?::\d{1,5})?$/.exec(host)?.[1];
  if (name === undefined) return false;
  return name.toLowerCase() === 'localhost' || isLoopbackAddress(/^\[(.+)\]$/.exec(name)?.[1] ?? name);
}

/** The eight groups of a valid IPv6 address. URL parses every spelling (RFC 4291 2.2). */
export function ipv6Groups(ip: string): number[] {
  const [head = '', tail] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = new Array<string>(8 - left.length - right.length).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}

const loopbackIPv6 = new BlockList();
loopbackIPv6.addAddress('::1', 'ipv6');

/** Whether an address is of a private network: RFC 1918, or unique local IPv6 (RFC 4193). */
export function isPrivateAddress(ip: string): boolean {
  const family = isIP(ip);
  return (
    family !== 0 && privateNetworks[family === 4 ? 'ipv4' : 'ipv6'].check(ip, family === 4 ? 'ipv4' : 'ipv6')
  );
}

const privateNetworks = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateNetworks.ipv4.addSubnet(network, prefix, 'ipv4');
privateNetworks.ipv6.addSubnet('fc00::', 7, 'ipv6');
