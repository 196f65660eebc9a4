import { promises as dns } from 'node:dns';
import { LRUCache } from 'lru-cache';
import { type Clock, systemClock } from '../core/clock.ts';
import { FairTurns } from '../core/fair-turns.ts';
import { systemTimers, type Timers, timeLimit } from '../core/timers.ts';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

/** Resolves host names. A port, so that a test decides where a name leads. */
export interface Resolver {
  /**
   * Every address of a host, in order of preference; rejects when the host has no address.
   * @param party whose request it is: look-ups are shared out among parties
   */
  resolve(host: string, party: string): Promise<readonly ResolvedAddress[]>;
}

interface Options {
  /** Nameservers, `address` or `address:port`; empty: those of the operating system. */
  readonly servers?: readonly string[];
  /** Milliseconds; the socket library counts them itself, so a test that counts for itself sets them out of reach. */
  readonly tryMs?: number;
  readonly clock?: Clock;
  readonly timers?: Timers;
}

/** One look-up, both families, all tries. */
const LOOK_UP_MS = 2_500;
/** A try. A second one fits into a look-up, and so does a second nameserver when the first is dead. */
const TRY_MS = 800;
const TRIES = 2;
/** Look-ups at a time of one party, and of all; each has a socket. */
const TURNS = { perParty: 4, inAll: 256, waitingMost: 1_000 };
const CACHED_HOSTS_MOST = 10_000;
/** How long an address is believed: what its nameserver says, within these bounds. */
const POSITIVE_SECONDS = { least: 1, most: 60 };
/** How long a failure is believed: long enough that a dead zone is not asked for each delivery. */
const NEGATIVE_MS = 5_000;
/** Each of them is checked for each request. */
const ADDRESSES_MOST = 64;

/** What a look-up found, or the error it ended with. */
type Found = { readonly addresses: readonly ResolvedAddress[] } | { readonly error: Error };

/**
 * Asks nameservers over sockets. The resolver of the operating system (`getaddrinfo`) would hold one of few threads until
 * it gives up: a zone that never answers, which anybody can have, would stop the look-ups of everybody.
 *
 * - A look-up ends after 2.5 seconds. A party has a few at a time; further ones wait behind its own.
 * - What was found is kept for as long as the zone says, at most a minute; what failed for five seconds.
 * - A name is a full name: no search domains, no `/etc/hosts`.
 */
export class DnsResolver implements Resolver {
  readonly #servers: readonly string[];
  readonly #tryMs: number;
  readonly #timers: Timers;
  readonly #turns = new FairTurns(TURNS);
  readonly #found: LRUCache<string, Found>;
  /** Look-ups that go on or wait, by party and host: one party does not wait behind another's. */
  readonly #underWay = new Map<string, Promise<Found>>();

  constructor({ servers = [], tryMs = TRY_MS, clock = systemClock, timers = systemTimers }: Options = {}) {
    this.#servers = servers;
    this.#tryMs = tryMs;
    this.#timers = timers;
    this.#found = new LRUCache({ max: CACHED_HOSTS_MOST, ttlResolution: 0, perf: clock });
  }

  async resolve(host: string, party: string): Promise<readonly ResolvedAddress[]> {
    const found = this.#found.get(host) ?? (await this.#joined(host, party));
    if ('error' in found) throw found.error;
    return found.addresses;
  }

  #joined(host: string, party: string): Promise<Found> {
    // A host has no space in it.
    const key = `${party} ${host}`;
    let looking = this.#underWay.get(key);
    if (looking === undefined) {
      looking = this.#turns
        .run(party, async () => this.#found.get(host) ?? (await this.#lookUp(host)))
        .finally(() => this.#underWay.delete(key));
      this.#underWay.set(key, looking);
    }
    return looking;
  }

  async #lookUp(host: string): Promise<Found> {
    // One for each look-up: what is cancelled is this one alone, and it reads the nameservers as they are now.
    const resolver = new dns.Resolver({ timeout: this.#tryMs, tries: TRIES });
    if (this.#servers.length > 0) resolver.setServers(this.#servers);
    const stopTimer = timeLimit(this.#timers, LOOK_UP_MS, () => resolver.cancel());
    try {
      const [ipv4, ipv6] = await Promise.allSettled([
        resolver.resolve4(host, { ttl: true }),
        resolver.resolve6(host, { ttl: true }),
      ]);
      const { found, keepMs } = outcome(ipv4, ipv6);
      this.#found.set(host, found, { ttl: keepMs });
      return found;
    } finally {
      stopTimer();
    }
  }
}

type Records = PromiseSettledResult<{ address: string; ttl: number }[]>;

/** IPv4 first: where IPv6 is not routed, its packets may be dropped silently. */
function outcome(ipv4: Records, ipv6: Records): { found: Found; keepMs: number } {
  const addresses: ResolvedAddress[] = [];
  let seconds = POSITIVE_SECONDS.most;
  for (const [family, records] of [[4, ipv4] as const, [6, ipv6] as const]) {
    for (const { address, ttl } of records.status === 'fulfilled' ? records.value : []) {
      addresses.push({ address, family });
      seconds = Math.min(seconds, Math.max(ttl, POSITIVE_SECONDS.least));
    }
  }
  if (addresses.length > ADDRESSES_MOST) {
    const error = new Error(`the host has more than ${ADDRESSES_MOST} addresses`);
    return { found: { error }, keepMs: NEGATIVE_MS };
  }
  if (addresses.length > 0) return { found: { addresses }, keepMs: seconds * 1000 };
  return { found: { error: failureOf(ipv4, ipv6) }, keepMs: NEGATIVE_MS };
}

/** That nameservers did not answer says more than that the other family has no record. */
function failureOf(...families: Records[]): Error {
  const errors = families.flatMap((family) => (family.status === 'rejected' ? [family.reason as Error] : []));
  const withCode = (...codes: string[]) =>
    errors.find((error) => 'code' in error && codes.includes(String(error.code)));
  if (withCode(dns.TIMEOUT, dns.CANCELLED) !== undefined) return new Error('no nameserver answered in time');
  return (
    withCode(dns.SERVFAIL, dns.REFUSED, dns.CONNREFUSED) ?? errors[0] ?? new Error('the host has no address')
  );
}
