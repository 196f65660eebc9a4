import { LRUCache } from 'lru-cache';
import { entriesMost } from '../core/cache-bounds.ts';
import { PlatformError } from '../core/errors.ts';
import { networkOf } from '../core/ip-address.ts';
import { counted, type Limiter, type LimitStore, memoryLimits, perMinute } from './limit-store.ts';

/**
 * What failed: a token or a session that does not exist, an address that does not exist, or a token that was signed here
 * and is no longer valid, or a code that an app could not exchange. Each kind counts by itself: who tries unknown addresses can still use a good token.
 */
type FailureKind = 'token' | 'session' | 'path' | 'bearer' | 'exchange';

/** Keys that ran out and are refused without asking the store. */
const SPENT_MOST = 10_000;

/** Limits calls that fail before a rate limit knows the caller (wire 8.1). */
export class FailureLimit {
  readonly #limiter: Limiter | undefined;
  /** Keys that ran out, for as long as they must wait. */
  readonly #spent = new LRUCache<string, true>({ ...entriesMost(SPENT_MOST), ttlResolution: 0, perf: Date });

  /** @param rates.failures a minute; 0 is no limit */
  constructor({ failures }: { readonly failures: number }, store: LimitStore = memoryLimits) {
    this.#limiter = perMinute(store, 'failures', failures);
  }

  /**
   * Refuses who failed too often, before anything is looked up.
   * @throws {PlatformError} rate_limit.exceeded
   */
  refuseSpent(kind: FailureKind, caller: string): void {
    if (this.#spent.size === 0) return;
    const waitMs = this.#spent.getRemainingTTL(keyOf(kind, caller));
    if (waitMs > 0) throw exceeded(waitMs);
  }

  /**
   * Counts a failure.
   * @param caller an address, or what names the token
   * @throws {PlatformError} rate_limit.exceeded, rate_limit.unavailable
   */
  async failed(kind: FailureKind, caller: string): Promise<void> {
    if (this.#limiter === undefined) return;
    this.refuseSpent(kind, caller);
    const key = keyOf(kind, caller);
    try {
      await counted(this.#limiter.consume(key));
    } catch (error) {
      const wait = error instanceof PlatformError ? error.headers['retry-after'] : undefined;
      if (wait !== undefined) this.#spent.set(key, true, { ttl: Number(wait) * 1000 });
      throw error;
    }
  }
}

const keyOf = (kind: FailureKind, caller: string) =>
  `${kind} ${kind === 'bearer' ? caller : networkOf(caller)}`;

function exceeded(waitMs: number): PlatformError {
  const seconds = String(Math.max(1, Math.ceil(waitMs / 1000)));
  return new PlatformError('rate_limit.exceeded', { headers: { 'retry-after': seconds } });
}
