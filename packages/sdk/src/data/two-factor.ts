import type { Challenge, ChallengeRequest, ChallengeResult, TwoFactorStatus } from '@symbolon/protocol';
import { type Api, path } from '../http/api.ts';
import { SymbolonError, UnavailableError } from '../http/errors.ts';

/** A person was asked. */
export type AskedChallenge = {
  id: string;
  expiresAt: string;
  /** Two digits to show beside the login form, while number matching is on. */
  matchingDigits?: string;
};

/** What became of a challenge. Grant a login on `approved` and on nothing else. */
export type TwoFactorResult = {
  status: TwoFactorStatus;
  expiresAt?: string;
  completedAt?: string;
};

export type AskOptions = {
  /** Plain text for the person, at most 200 characters. */
  context?: string | undefined;
  /** The same key for the same person gives the same challenge. Default: a new one for each call, and the same for its repeats. */
  idempotencyKey?: string | undefined;
  signal?: AbortSignal | undefined;
};

export type WaitOptions = {
  /** Default 600000. */
  budgetMs?: number | undefined;
  /** Between two polls; default 2000. */
  everyMs?: number | undefined;
  signal?: AbortSignal | undefined;
};

/** Asks enrolled people to approve a login (wire 4.5). */
export class TwoFactor {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * Asks the person with a share code.
   *
   * @throws NotFoundError `twofa.not_enrolled`; RateLimitError `twofa.pending_cap`, which waiting ends only
   *   where `details.retry_after` says in how many seconds: after a denial, when `details.reason` is `quiet_time`, and while the
   *   service waits for the person itself
   *
   * @example
   * const { id, matchingDigits } = await client.twoFactor.challenge('K7QW2M', { context: 'Sign-in from Berlin' });
   * const { status } = await client.twoFactor.waitForResult(id);
   * if (status === 'approved') grant();
   */
  async challenge(shareCode: string, options: AskOptions = {}): Promise<AskedChallenge> {
    const { context, idempotencyKey = crypto.randomUUID(), signal } = options;
    const json: ChallengeRequest = {
      share_code: shareCode,
      idempotency_key: idempotencyKey,
      ...(context === undefined ? {} : { context }),
    };
    const call = { method: 'POST', path: '/api/service-2fa/challenges', idempotent: true } as const;
    const asked = await this.#api.json<Challenge>({ ...call, json, signal });
    return {
      id: asked.challenge_id,
      expiresAt: asked.expires_at,
      ...(asked.matching_digits === undefined ? {} : { matchingDigits: asked.matching_digits }),
    };
  }

  /**
   * What became of a challenge. The platform tells an outcome once: the call that reads anything but `pending` has it, and later
   * calls fail.
   *
   * @throws GoneError `twofa.result_consumed`; NotFoundError `twofa.not_found`
   */
  async result(id: string, signal?: AbortSignal): Promise<TwoFactorResult> {
    const call = { method: 'GET', path: path`/api/service-2fa/challenges/${id}` } as const;
    const { status, expires_at, completed_at } = await this.#api.json<ChallengeResult>({ ...call, signal });
    return {
      status,
      ...(expires_at === undefined ? {} : { expiresAt: expires_at }),
      ...(completed_at === undefined ? {} : { completedAt: completed_at }),
    };
  }

  /**
   * Polls until the challenge is answered or has expired. A platform that cannot tell the outcome now is asked again: it uses
   * nothing up.
   *
   * @throws SymbolonError `sdk.wait_over` when the budget is spent; what {@link TwoFactor.result} throws; the signal's reason
   */
  async waitForResult(id: string, options: WaitOptions = {}): Promise<TwoFactorResult> {
    const { budgetMs = 600_000, everyMs = 2_000, signal } = options;
    const { now, sleep } = this.#api.transport.runtime;
    const until = now() + budgetMs;
    for (;;) {
      const result = await this.result(id, signal).catch((error: unknown) => {
        if (error instanceof UnavailableError) return undefined;
        throw error;
      });
      if (result !== undefined && result.status !== 'pending') return result;
      if (now() + everyMs > until) {
        throw new SymbolonError({
          errorKey: 'sdk.wait_over',
          message: 'The challenge was not answered within the time to wait.',
        });
      }
      await sleep(everyMs, signal);
    }
  }
}
