import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { LRUCache } from 'lru-cache';
import type { RateLimiterMemory as MemoryLimiter } from 'rate-limiter-flexible';
// By themselves: the package as a whole loads limiters for a dozen databases.
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import type { Availability } from '../core/availability.ts';
import { entriesMost } from '../core/cache-bounds.ts';
import type { RedisAddress } from '../core/config-redis.ts';
import { PlatformError } from '../core/errors.ts';

/** One kind of counting: so many points for a key, again every so many seconds. */
interface LimitOptions {
  readonly keyPrefix: string;
  readonly points: number;
  /** Seconds. */
  readonly duration: number;
}

/** What all limiters have; they throw a `RateLimiterRes` when a key has run out, anything else when they cannot count. */
export type Limiter = Pick<MemoryLimiter, 'consume' | 'reward' | 'delete'>;

/** Keys that are remembered for a time. */
export interface Marks {
  add(key: string): Promise<void>;
  has(key: string): Promise<boolean>;
}

interface MarksOptions {
  readonly keyPrefix: string;
  /** How long a key is remembered after it was last added. */
  readonly seconds: number;
  /** In memory the oldest keys are forgotten above this number; a Redis has its own limit. */
  readonly most: number;
}

/** Where things are counted: in this process, or in a Redis for all of them. */
export interface LimitStore {
  limiter(options: LimitOptions): Limiter;
  marks(options: MarksOptions): Marks;
  stop(): Promise<void>;
}

/** Counts in windows of a minute. @param points for each key; 0 is no limit */
export function perMinute(store: LimitStore, keyPrefix: string, points: number): Limiter | undefined {
  return points > 0 ? store.limiter({ keyPrefix, points, duration: 60 }) : undefined;
}

export const memoryLimits: LimitStore = {
  limiter: (options) => new RateLimiterMemory(options),
  marks({ seconds, most }) {
    const marked = new LRUCache<string, true>({
      ...entriesMost(most),
      ttl: seconds * 1000,
      ttlResolution: 0,
      perf: Date,
    });
    return {
      add: async (key) => void marked.set(key, true),
      has: async (key) => marked.has(key),
    };
  },
  async stop() {},
};

/** A Redis that does not answer in this time counts as unavailable. */
const COMMAND_MOST_MS = 1000;
const RECONNECT_MOST_MS = 2000;
const retryStrategy = (times: number) => Math.min(times * 100, RECONNECT_MOST_MS);
const CLIENT = {
  lazyConnect: true,
  // A command that cannot be sent now is refused now.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  commandTimeout: COMMAND_MOST_MS,
  connectTimeout: COMMAND_MOST_MS,
  retryStrategy,
  // A server that follows another one now takes no counts: the next connection may lead to the one that leads.
  reconnectOnError: ({ message }: Error) => message.startsWith('READONLY'),
  sentinelCommandTimeout: COMMAND_MOST_MS,
  sentinelRetryStrategy: retryStrategy,
} as const;
/** Seconds after which a call that could not be counted may be repeated. */
const AWAY_S = '2';

/**
 * Counts in a Redis, for every process of a region; Sentinels say which server leads, again at each connection. While it is
 * unavailable, calls that it would count are refused with `rate_limit.unavailable` (wire 8.1). Keys are hashed: Redis holds no e-mail address and no network address.
 */
export async function redisLimits(
  address: RedisAddress,
  { region, availability }: { region: string; availability: Pick<Availability, 'add'> },
): Promise<LimitStore> {
  // Loaded only where it is configured: the platform starts sooner without.
  const [{ Redis }, { RateLimiterRedis }] = await Promise.all([
    import('ioredis'),
    import('rate-limiter-flexible'),
  ]);
  const client =
    typeof address === 'string' ? new Redis(address, CLIENT) : new Redis({ ...CLIENT, ...address });
  /** How the last Sentinel was asked in vain. */
  let vain = '';
  client.on('sentinelError', ({ message }: Error) => {
    vain = message.replace('got an invalid reply: null', 'it knows no server of this name');
  });
  /** A connection that says nothing may never say anything again, so it is replaced. */
  const ping = async () => {
    try {
      await client.ping();
    } catch (error) {
      if (client.status === 'ready') client.disconnect(true);
      throw error;
    }
  };
  const reasonOf = (error: unknown) => {
    const { message } = error as Error;
    if (message.startsWith('All sentinels are unreachable')) return `no Sentinel says where it is: ${vain}`;
    // The client says so of every command that it cannot send.
    return message.includes('enableOfflineQueue') ? 'it is not connected' : message;
  };
  const need = availability.add('rate_limits', { title: 'redis', probe: ping, reasonOf });
  client.on('error', (error: Error & { command?: unknown }) => {
    // The command that signs in has the password.
    delete error.command;
    need.failed(error);
  });
  client.on('ready', () => need.works());
  /** While it is away no caller waits for it. */
  const asked = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (need.isAway) throw new Error('redis is unavailable');
    try {
      return await ask();
    } catch (error) {
      // One command may be late because this process was: a second one tells.
      if (!(error instanceof RateLimiterRes)) ping().catch((again: unknown) => need.failed(again));
      throw error;
    }
  };
  // The platform starts without Redis, and the client keeps trying to connect: with Sentinels, without an end to the first attempt.
  await Promise.race([client.connect().catch(() => {}), once(client, 'error')]);
  return {
    limiter({ keyPrefix, ...options }) {
      const limiter = new RateLimiterRedis({
        storeClient: client,
        keyPrefix: `symbolon:${region}:${keyPrefix}`,
        ...options,
      });
      return {
        consume: (key, points) => asked(() => limiter.consume(hashed(key), points)),
        reward: (key, points) => asked(() => limiter.reward(hashed(key), points)),
        delete: (key) => asked(() => limiter.delete(hashed(key))),
      };
    },
    marks({ keyPrefix, seconds }) {
      const name = (key: string) => `symbolon:${region}:${keyPrefix}:${hashed(key)}`;
      return {
        add: async (key) => void (await asked(() => client.set(name(key), '1', 'EX', seconds))),
        has: async (key) => (await asked(() => client.exists(name(key)))) === 1,
      };
    },
    async stop() {
      client.disconnect();
    },
  };
}

/** The keys by which what comes too often is refused. */
export type LimitRefusal =
  | 'rate_limit.exceeded'
  | 'auth.throttled'
  | 'messages.rate_limited'
  | 'plugin.rate_limited';

/**
 * Waits for a limiter's verdict.
 * @throws {PlatformError} `exceeded` with Retry-After in whole seconds; rate_limit.unavailable
 */
export async function counted<T>(
  verdict: Promise<T>,
  exceeded: LimitRefusal = 'rate_limit.exceeded',
): Promise<T> {
  try {
    return await verdict;
  } catch (error) {
    if (!(error instanceof RateLimiterRes))
      throw new PlatformError('rate_limit.unavailable', { headers: { 'retry-after': AWAY_S }, cause: error });
    throw new PlatformError(exceeded, { headers: { 'retry-after': retryAfter(error) } });
  }
}

/** Like `counted`, but false when the key has run out. @throws {PlatformError} rate_limit.unavailable */
export async function isLeft(verdict: Promise<unknown>): Promise<boolean> {
  try {
    await counted(verdict);
    return true;
  } catch (error) {
    if (error instanceof PlatformError && error.key === 'rate_limit.exceeded') return false;
    throw error;
  }
}

/** Whole seconds, at least one. */
export function retryAfter(state: { readonly msBeforeNext: number }): string {
  return String(Math.max(1, Math.ceil(state.msBeforeNext / 1000)));
}

function hashed(key: string | number): string {
  return createHash('sha256').update(String(key)).digest('base64url');
}
