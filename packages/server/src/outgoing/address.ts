import { BlockList, isIP } from 'node:net';
import { ipv6Groups } from '../core/ip-address.ts';

/**
 * Whether an IP address belongs to the public internet: a URL that others chose may lead to no other.
 * Follows the IANA special-purpose registries (RFC 6890 and later additions). Every range listed there is refused, also
 * where the registries leave a choice, and so are the metadata services of clouds, which give out credentials. Anything
 * else than a plain address is refused, for instance one with a zone id.
 */
export function isPublicAddress(ip: string): boolean {
  switch (isIP(ip)) {
    case 4:
      return !refusedIPv4.check(ip, 'ipv4');
    case 6:
      return !ip.includes('%') && isPublicIPv6(ip);
    default:
      return false;
  }
}

function isPublicIPv6(ip: string): boolean {
  // A translator (RFC 6052) or a 6to4 router (RFC 3056) forwards these to the IPv4 address in them.
  if (nat64.check(ip, 'ipv6')) return isPublicAddress(embeddedIPv4(ip, 6));
  if (sixToFour.check(ip, 'ipv6')) return isPublicAddress(embeddedIPv4(ip, 1));
  // Only 2000::/3 is global unicast; loopback, mapped, unique-local, multicast and the rest lie outside it.
  return globalUnicast.check(ip, 'ipv6') && !refusedIPv6.check(ip, 'ipv6');
}

/** The two 16-bit groups from `index` on, as an IPv4 address. */
function embeddedIPv4(ip: string, index: number): string {
  const groups = ipv6Groups(ip);
  const high = groups[index] ?? 0;
  const low = groups[index + 1] ?? 0;
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

function subnets(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix = ''] = range.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}

const refusedIPv4 = subnets('ipv4', [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared; 100.100.100.200 is a metadata service
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // a metadata service at an otherwise public address
  '169.254.0.0/16', // link-local; 169.254.169.254 is the metadata service of most clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments; 192.0.0.192 is a metadata service
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relay
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);

/** Within 2000::/3. */
const refusedIPv6 = subnets('ipv6', [
  '2001::/23', // protocol assignments: Teredo, benchmarking, AMT, AS112, ORCHID, DRIP
  '2001:db8::/32', // documentation
  '2620:4f:8000::/48', // AS112
  '3ffe::/16', // 6bone, given back
  '3fff::/20', // documentation
]);

const globalUnicast = subnets('ipv6', ['2000::/3']);
/**
 * Not 64:ff9b:1::/48 (RFC 8215): each network chooses the place of the IPv4 address in it, so it cannot be checked and
 * stays refused.
 */
const nat64 = subnets('ipv6', ['64:ff9b::/96']);
const sixToFour = subnets('ipv6', ['2002::/16']);
