import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Whether an address is one of this machine: only then can what answers there reach its loopback. */
export async function isThisMachine(baseUrl: string): Promise<boolean> {
  const hostname = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');
  const own = new Set(
    Object.values(networkInterfaces()).flatMap((list) => list?.map(({ address }) => address)),
  );
  const isOwn = (address: string) => address.startsWith('127.') || address === '::1' || own.has(address);
  if (isIP(hostname) !== 0) return isOwn(hostname);
  const addresses = await lookup(hostname, { all: true }).catch(() => []);
  return addresses.length > 0 && addresses.every(({ address }) => isOwn(address));
}
