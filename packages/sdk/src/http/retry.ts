import { RateLimitError, SymbolonError, TransportError, UnavailableError } from './errors.ts';
import type { Runtime } from './runtime.ts';

/** How often and how long a client repeats refused calls. */
export type RetryOptions = {
  /** How often a refused call is repeated at most. Default 5; 0 never repeats. */
  attempts?: number;
  /** All waits of one call together, in milliseconds. Default 600000, enough for one `platform.out_of_order`. */
  budgetMs?: number;
};

/** What may be repeated about a call. */
export type Repeatability = {
  /** Making the call twice does no harm: it is repeated after a 503. */
  idempotent: boolean;
  /** A lost response loses no data: the call is repeated after a transport failure. Never set for a drain. */
  repeatable: boolean;
};

/**
 * Decides whether one call is repeated. `next` returns the milliseconds to wait before the next attempt, or
 * `undefined` when the error is final.
 */
export class RetryPolicy {
  readonly #attempts: number;
  readonly #budgetMs: number;
  readonly #call: Repeatability;
  readonly #random: Runtime['random'];
  #made = 0;
  #waitedMs = 0;

  constructor(call: Repeatability, options: RetryOptions, random: Runtime['random']) {
    this.#attempts = options.attempts ?? 5;
    this.#budgetMs = options.budgetMs ?? 600_000;
    this.#call = call;
    this.#random = random;
  }

  next(error: unknown): number | undefined {
    if (!(error instanceof SymbolonError) || !this.#isRepeated(error)) return undefined;
    const most =
      error instanceof TransportError ? Math.min(this.#attempts, TRANSPORT_ATTEMPTS) : this.#attempts;
    if (this.#made >= most) return undefined;
    const ms = this.#pause(error);
    if (this.#waitedMs + ms > this.#budgetMs) return undefined;
    this.#made++;
    this.#waitedMs += ms;
    return ms;
  }

  #isRepeated(error: SymbolonError): boolean {
    // The call needs a new proof of presence (wire 7).
    if (error.details.proof_used === true) return false;
    if (error instanceof RateLimitError) return !NEVER_REPEATED.has(error.errorKey);
    if (error instanceof UnavailableError && REPEATED.has(error.errorKey)) return this.#call.idempotent;
    return this.#call.repeatable && (error instanceof TransportError || isGatewayFailure(error));
  }

  /** At least the time that the platform asked for; jitter spreads the callers. */
  #pause(error: SymbolonError): number {
    if (error.retryAfterMs !== undefined) return error.retryAfterMs + Math.round(this.#random() * 1000);
    const ceiling = Math.min(30_000, 500 * 2 ** this.#made);
    return Math.round(ceiling / 2 + (this.#random() * ceiling) / 2);
  }
}

/** The response comes from a proxy, not from the platform. */
function isGatewayFailure(error: SymbolonError): boolean {
  return error.errorKey === 'sdk.unexpected_answer' && [502, 503, 504].includes(error.status ?? 0);
}

const TRANSPORT_ATTEMPTS = 2;
/** Errors that do not go away by waiting. */
const NEVER_REPEATED = new Set(['twofa.pending_cap', 'auth.throttled']);
const REPEATED = new Set([
  'db.writes_paused',
  'db.unavailable',
  'service.busy',
  'platform.out_of_order',
  'platform.stopping',
  'rate_limit.unavailable',
  'twofa.unavailable',
]);
