import type { ChallengeResult } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { DeliverOnce, type OnceDeps, type PollAnswer } from '../one-time/deliver-once.ts';
import { type AskingService, statusOf } from './challenges.ts';
import { type Outcome, outcomeOf } from './store.ts';

/** Tells services what became of their challenges, once. */
export class Outcomes {
  readonly #deps: OnceDeps;
  readonly #once: DeliverOnce;

  constructor(deps: OnceDeps) {
    this.#deps = deps;
    this.#once = new DeliverOnce(
      deps,
      'two_factor_challenges',
      (retryAfter, cause) =>
        new PlatformError('twofa.unavailable', { headers: { 'retry-after': retryAfter }, cause }),
    );
  }

  /**
   * @throws {PlatformError} twofa.not_found, twofa.result_consumed, twofa.unavailable: the outcome is as it was, and the call
   *   can be repeated
   */
  async poll(service: AskingService, id: string): Promise<PollAnswer<ChallengeResult>> {
    return this.#once.poll({ company_id: service.companyId, id }, async () => {
      const outcome = await this.#read(service, id);
      const now = this.#deps.clock.now();
      const isFinal = statusOf(outcome, now) !== 'pending';
      if (isFinal && outcome.delivered === 1) throw new PlatformError('twofa.result_consumed');
      return { result: resultOf(outcome, now), isFinal };
    });
  }

  async exists({ companyId, serviceId }: AskingService, id: string): Promise<boolean> {
    return (await outcomeOf(this.#deps.database.reader, companyId, serviceId, id)).length > 0;
  }

  stop(): Promise<void> {
    return this.#once.stop();
  }

  async #read({ companyId, serviceId }: AskingService, id: string): Promise<Outcome> {
    const [outcome] = await outcomeOf(this.#deps.database.reader, companyId, serviceId, id);
    if (outcome === undefined) throw new PlatformError('twofa.not_found');
    return outcome;
  }
}

function resultOf(outcome: Outcome, now: number): ChallengeResult {
  const status = statusOf(outcome, now);
  if (status === 'pending') return { status, expires_at: isoTime(outcome.expires_at) };
  return { status, completed_at: isoTime(outcome.completed_at ?? outcome.expires_at) };
}
