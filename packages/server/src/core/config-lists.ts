import dns from 'node:dns';
import { ConfigError } from './config-error.ts';

/** @throws {ConfigError} */
export function readDnsServers(text: string): readonly string[] {
  const servers = text.split(',').flatMap((part) => part.trim() || []);
  try {
    new dns.Resolver().setServers(servers);
  } catch {
    throw new ConfigError(
      'SYMBOLON_DNS_SERVERS takes IP addresses, with port or without, separated by commas: 192.0.2.53,[2001:db8::53]:5353.',
    );
  }
  return servers;
}

/** @throws {ConfigError} */
export function readReservedPurposes(text: string): readonly string[] {
  const prefixes = text.split(',').flatMap((part) => part.trim() || []);
  const wrong = prefixes.find((prefix) => !/^[a-z0-9_.-]{1,62}:$/.test(prefix));
  if (wrong === undefined) return Object.freeze(prefixes);
  throw new ConfigError(
    `SYMBOLON_RESERVED_PURPOSES takes prefixes of a-z, 0-9, _ . and - that end with a colon, not "${wrong}".`,
  );
}
