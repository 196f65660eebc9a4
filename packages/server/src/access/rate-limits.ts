import type { ErrorKey, RateLimitClass } from '@symbolon/protocol';
import { PlatformError } from '../core/errors.ts';
import { networkOf } from '../core/ip-address.ts';
import {
  counted,
  type Limiter,
  type LimitRefusal,
  type LimitStore,
  type Marks,
  memoryLimits,
  perMinute,
} from './limit-store.ts';

/** Counts requests by class and caller in windows of a minute. */
export class RateLimits {
  readonly #limiters = new Map<RateLimitClass, Limiter>();

  /** @param rates requests a minute by class; 0 is no limit */
  constructor(rates: Readonly<Record<RateLimitClass, number>>, store: LimitStore = memoryLimits) {
    for (const [name, points] of Object.entries(rates)) {
      const limiter = perMinute(store, name, points);
      if (limiter !== undefined) this.#limiters.set(name as RateLimitClass, limiter);
    }
  }

  /** Whether calls of a class are limited at all. */
  limits(limit: RateLimitClass): boolean {
    return this.#limiters.has(limit);
  }

  /**
   * Counts a request.
   * @throws {PlatformError} `exceeded` with Retry-After in whole seconds, rate_limit.unavailable
   */
  async consume(limit: RateLimitClass, key: string, exceeded?: LimitRefusal): Promise<void> {
    const limiter = this.#limiters.get(limit);
    if (limiter !== undefined) await counted(limiter.consume(key), exceeded);
  }
}

/** A try to prove an account. */
interface SignInTry {
  /** The account, with what is proved: `portal:<e-mail address>`. */
  readonly account: string;
  /**
   * The caller's address. Without it the account has the tries of one address: for who has proved something already, as
   * a right password before the code.
   */
  readonly source?: string;
}

const WINDOW_S = 15 * 60;
/** Tries for an account from one address (wire 8.5). */
const ADDRESS_TRIES = 10;
/** Tries for an account from all addresses together that have not signed in to it lately. */
const ACCOUNT_TRIES = 30;
/** An address from which an account was signed in to is familiar to it for this long. */
const FAMILIAR_S = 30 * 24 * 60 * 60;
const FAMILIAR_MOST = 100_000;

/**
 * Limits failed sign-ins. A try is counted before its secret is looked at and given back when it was right, so that a
 * burst gets no more tries than a sequence, and a refused try costs no work.
 *
 * The limit of an account over all addresses stops guessing from many of them. It would also let anybody lock a person
 * out, so it does not count addresses from which that account was signed in to: they have their own ten tries whatever
 * others do.
 */
export class SignInThrottle {
  readonly #address: Limiter;
  readonly #account: Limiter;
  readonly #familiar: Marks;

  constructor(store: LimitStore = memoryLimits) {
    const duration = WINDOW_S;
    this.#address = store.limiter({ keyPrefix: 'sign-in', points: ADDRESS_TRIES, duration });
    this.#account = store.limiter({ keyPrefix: 'sign-in-account', points: ACCOUNT_TRIES, duration });
    this.#familiar = store.marks({ keyPrefix: 'signed-in', seconds: FAMILIAR_S, most: FAMILIAR_MOST });
  }

  /**
   * Runs a check of credentials, unless too many failed.
   * @param check resolves with undefined when the credentials are wrong
   * @throws {PlatformError} `refusal` for wrong credentials, auth.throttled, rate_limit.unavailable
   */
  async attempt<T>(
    { account, source }: SignInTry,
    refusal: ErrorKey,
    check: () => Promise<T | undefined>,
  ): Promise<T> {
    const address = source === undefined ? account : `${account}:${networkOf(source)}`;
    await counted(this.#address.consume(address), 'auth.throttled');
    const countsAccount = source !== undefined && !(await counted(this.#familiar.has(address)));
    if (countsAccount) await counted(this.#account.consume(account), 'auth.throttled');
    const giveBack = async (passed: boolean) => {
      if (countsAccount) await this.#account.reward(account);
      // The tries before were typing errors of the person who has now signed in.
      if (passed && source !== undefined) {
        await this.#address.delete(address);
        await this.#familiar.add(address);
      } else await this.#address.reward(address);
    };
    let passed: T | undefined;
    try {
      passed = await check();
    } catch (error) {
      // The platform could not look: that is no failed try.
      if (!(error instanceof PlatformError) || error.status >= 500) await settled(giveBack(false));
      throw error;
    }
    if (passed === undefined) throw new PlatformError(refusal);
    await settled(giveBack(true));
    return passed;
  }
}

/** Waits for what does not change the outcome: a store that fails now leaves a try counted. */
async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {});
}
