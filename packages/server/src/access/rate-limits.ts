import type { RateLimitClass } from '@symbolon/protocol';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { PlatformError } from '../errors.ts';

/** Counts requests by class and caller in windows of a minute. */
export class RateLimits {
  readonly #limiters = new Map<RateLimitClass, RateLimiterMemory>();

  /** @param perMinute requests a minute by class; 0 is no limit */
  constructor(perMinute: Readonly<Record<RateLimitClass, number>>) {
    for (const [name, points] of Object.entries(perMinute)) {
      if (points > 0) {
        this.#limiters.set(
          name as RateLimitClass,
          new RateLimiterMemory({ keyPrefix: name, points, duration: 60 }),
        );
      }
    }
  }

  /**
   * Counts a request; nothing to wait for when the class has no limit.
   * @throws {PlatformError} rate_limit.exceeded with Retry-After in whole seconds
   */
  consume(limit: RateLimitClass, key: string): Promise<void> | undefined {
    const limiter = this.#limiters.get(limit);
    return limiter === undefined ? undefined : this.#count(limiter, key);
  }

  async #count(limiter: RateLimiterMemory, key: string): Promise<void> {
    try {
      await limiter.consume(key);
    } catch (error) {
      if (!(error instanceof RateLimiterRes))
        throw new PlatformError('rate_limit.unavailable', { cause: error });
      throw new PlatformError('rate_limit.exceeded', { headers: { 'retry-after': retryAfter(error) } });
    }
  }
}

/** Failed sign-ins: an account from one address gets this many tries in a quarter of an hour. */
export class SignInThrottle {
  readonly #failures = new RateLimiterMemory({ keyPrefix: 'sign-in', points: 10, duration: 15 * 60 });

  /** @throws {PlatformError} auth.throttled */
  async check(key: string): Promise<void> {
    const state = await this.#failures.get(key);
    if (state !== null && state.remainingPoints <= 0) {
      throw new PlatformError('auth.throttled', { headers: { 'retry-after': retryAfter(state) } });
    }
  }

  async failed(key: string): Promise<void> {
    await this.#failures.penalty(key);
  }

  async succeeded(key: string): Promise<void> {
    await this.#failures.delete(key);
  }
}

function retryAfter(state: RateLimiterRes): string {
  return String(Math.max(1, Math.ceil(state.msBeforeNext / 1000)));
}
