import dns from 'node:dns';
import { type CompanyLevel, companyLevels, limits } from '@symbolon/protocol';
import { ConfigError } from './config-error.ts';
import { readTrustedProxies, type TrustedProxies } from './trusted-proxies.ts';

/** @throws {ConfigError} */
export function readDnsServers(text: string): readonly string[] {
  const servers = entriesOf(text);
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
  const prefixes = entriesOf(text);
  const wrong = prefixes.find((prefix) => !/^[a-z0-9_.-]{1,62}:$/.test(prefix));
  if (wrong === undefined) return Object.freeze(prefixes);
  throw new ConfigError(
    `SYMBOLON_RESERVED_PURPOSES takes prefixes of a-z, 0-9, _ . and - that end with a colon, not "${wrong}".`,
  );
}

/** Levels that are not named keep the usual number. @throws {ConfigError} */
export function readBroadcastPeople(text: string): Readonly<Record<CompanyLevel, number>> {
  const people = Object.fromEntries(
    companyLevels.map((level) => [level, limits.broadcastAudienceMost]),
  ) as Record<CompanyLevel, number>;
  for (const entry of entriesOf(text)) {
    const [, level, number] = /^([a-z]+)=(\d{1,10})$/.exec(entry) ?? [];
    const named = companyLevels.find((known) => known === level);
    if (named === undefined)
      throw new ConfigError(
        `SYMBOLON_BROADCAST_PEOPLE takes numbers of people by levels, separated by commas: pro=100000,enterprise=1000000, not "${entry}".`,
      );
    people[named] = Number(number);
  }
  return Object.freeze(people);
}

/** @throws {ConfigError} */
export function readOrigins(text: string): ReadonlySet<string> {
  const origins = entriesOf(text);
  for (const origin of origins) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin || !/^https?:/.test(origin)) {
      throw new ConfigError(
        `SYMBOLON_CORS_ORIGINS takes origins without a path, separated by commas, such as https://app.example.com, not "${origin}".`,
      );
    }
  }
  return new Set(origins);
}

/** @throws {ConfigError} */
export function readProxies(text: string): TrustedProxies | undefined {
  const read = readTrustedProxies(text);
  if (read !== undefined) return read.proxies;
  throw new ConfigError(
    `SYMBOLON_TRUST_PROXY takes false, the number of proxies in front (1 to 20, true is 1) or their networks, such as 10.0.0.0/8,fd00::/8, not "${text}".`,
  );
}

function entriesOf(text: string): string[] {
  return text.split(',').flatMap((part) => part.trim() || []);
}
