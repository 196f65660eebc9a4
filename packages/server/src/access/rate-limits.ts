import type { ErrorKey, RateLimitClass } from '@symbolon/protocol';
import { PlatformError } from '../core/errors.ts';
import { counted, type Limiter, type LimitStore, memoryLimits, retryAfter } from './limit-store.ts';

/** Counts requests by class and caller in windows of a minute. */
export class RateLimits {
  readonly #limiters = new Map<RateLimitClass, Limiter>();

  /** @param perMinute requests a minute by class; 0 is no limit */
  constructor(perMinute: Readonly<Record<RateLimitClass, number>>, store: LimitStore = memoryLimits) {
    for (const [name, points] of Object.entries(perMinute)) {
      if (points > 0) {
        this.#limiters.set(name as RateLimitClass, store.limiter({ keyPrefix: name, points, duration: 60 }));
      }
    }
  }

  /** Whether calls of a class are limited at all. */
  limits(limit: RateLimitClass): boolean {
    return this.#limiters.has(limit);
  }

  /**
   * Counts a request.
   * @throws {PlatformError} rate_limit.exceeded with Retry-After in whole seconds, rate_limit.unavailable
   */
  async consume(limit: RateLimitClass, key: string): Promise<void> {
    const limiter = this.#limiters.get(limit);
    if (limiter !== undefined) await counted(limiter.consume(key));
  }
}

/** Failed sign-ins: an account from one address gets this many tries in a quarter of an hour. */
export class SignInThrottle {
  readonly #failures: Limiter;

  constructor(store: LimitStore = memoryLimits) {
    this.#failures = store.limiter({ keyPrefix: 'sign-in', points: 10, duration: 15 * 60 });
  }

  /**
   * Runs a check of credentials, whose failures are counted under `key`.
   * @param check resolves with undefined when the credentials are wrong
   * @throws {PlatformError} `refusal` for wrong credentials, auth.throttled, rate_limit.unavailable
   */
  async attempt<T>(key: string, refusal: ErrorKey, check: () => Promise<T | undefined>): Promise<T> {
    await this.check(key);
    const passed = await check();
    if (passed === undefined) {
      await this.failed(key);
      throw new PlatformError(refusal);
    }
    await this.succeeded(key);
    return passed;
  }

  /** @throws {PlatformError} auth.throttled, rate_limit.unavailable */
  async check(key: string): Promise<void> {
    const state = await counted(this.#failures.get(key));
    if (state !== null && state.remainingPoints <= 0) {
      throw new PlatformError('auth.throttled', { headers: { 'retry-after': retryAfter(state) } });
    }
  }

  async failed(key: string): Promise<void> {
    await counted(this.#failures.penalty(key));
  }

  async succeeded(key: string): Promise<void> {
    await counted(this.#failures.delete(key));
  }
}
