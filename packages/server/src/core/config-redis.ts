import { isIPv6 } from 'node:net';
import type { RedisOptions } from 'ioredis';
import { ConfigError } from './config-error.ts';
import type { variablesOf } from './read-variables.ts';

/** Where Redis is: the URL of a server, or Sentinels that know which server leads, as the client takes them. */
export type RedisAddress = string | Sentinels;
type Sentinels = Omit<RedisOptions, 'replyMapping' | 'protocol'>;

const SENTINEL_PORT = 26_379;
const QUERY = ['sentinel_username', 'sentinel_password'];
/** Of several hosts `URL` makes nothing. No part takes a sign that divides the parts: a password with one is no host. */
const SENTINELS =
  /^(?<protocol>rediss?\+sentinel:)\/\/(?:(?<login>[^\s@/?#]*)@)?(?<host>[\w.:,[\]-]+)(?<pathname>\/[\w.-]+(?:\/\d{1,4})?)(?:\?(?<query>[^\s?#]+))?$/;

/** @throws {ConfigError}, which repeats no password */
export function readRedis({ optional, url }: ReturnType<typeof variablesOf>): RedisAddress | undefined {
  const value = optional('SYMBOLON_REDIS_URL');
  if (value === undefined || !/^rediss?\+sentinel:/i.test(value))
    return url('SYMBOLON_REDIS_URL', ['redis:', 'rediss:', 'redis+sentinel:', 'rediss+sentinel:']);
  const address = sentinelsOf(value);
  if (address !== undefined) return address;
  throw new ConfigError(
    'SYMBOLON_REDIS_URL takes Sentinels as redis+sentinel://user:password@host:26379,host2:26379/mymaster, without blanks: their hosts, ' +
      'then the name of what they watch, and perhaps /<number of a database>. User and password are those of Redis and may be left out (:password@ without a user), ' +
      'those of the Sentinels follow as ?sentinel_username=…&sentinel_password=…. Write signs such as @ : / ? # & % of a password as %40, %3A and so on.',
  );
}

/** The parts of a URL of Sentinels that are no secret; undefined for anything else. */
export function sentinelPlace(value: string) {
  const { protocol = '', host = '', pathname = '' } = SENTINELS.exec(value)?.groups ?? {};
  return host === '' ? undefined : { protocol, host, pathname };
}

function sentinelsOf(value: string): Sentinels | undefined {
  const { protocol, login, host = '', pathname = '', query = '' } = SENTINELS.exec(value)?.groups ?? {};
  const sentinels = host.split(',').map(sentinelOf);
  const [user, password, ...rest] = login?.split(':').map(decoded) ?? [];
  // A plus is a plus: this is no form of a page.
  const asked = new Map(new URLSearchParams(query.replaceAll('+', '%2B')));
  const isWrong =
    sentinels.includes(undefined) ||
    (login !== undefined && (user === undefined || !password || rest.length > 0)) ||
    [...asked].some(([name, text]) => !QUERY.includes(name) || text === '');
  if (isWrong) return undefined;
  const [, name = '', database = '0'] = pathname.split('/');
  const [sentinelUsername, sentinelPassword] = QUERY.map((key) => asked.get(key));
  return {
    sentinels: sentinels.filter((sentinel) => sentinel !== undefined),
    name,
    db: Number(database),
    ...(user && { username: user }),
    ...(password && { password }),
    ...(sentinelUsername && { sentinelUsername }),
    ...(sentinelPassword && { sentinelPassword }),
    // Sentinels and servers alike.
    ...(protocol === 'rediss+sentinel:' && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
  };
}

function sentinelOf(text: string) {
  const [, name, ipv6, port = SENTINEL_PORT] =
    /^(?:([\w.-]+)|\[([\w:.]+)\])(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = name ?? (ipv6 !== undefined && isIPv6(ipv6) ? ipv6 : undefined);
  return host === undefined || Number(port) < 1 || Number(port) > 65_535
    ? undefined
    : { host, port: Number(port) };
}

/** Undefined when a % stands for nothing. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
