import { counted, type Limiter, perMinute } from '../../../access/limit-store.ts';
import type { Core } from '../../domain.ts';

/**
 * Polls count for their challenge, apart from the client's other calls: a client ends a login for good on a 429 here. Polls of
 * challenges that there are not count for the client.
 */
export class PollLimits {
  readonly #ofChallenge: Limiter | undefined;
  readonly #unknown: Limiter | undefined;

  constructor({ config, limitStore }: Pick<Core, 'config' | 'limitStore'>) {
    this.#ofChallenge = perMinute(limitStore, 'polls', config.rateLimits.polls);
    this.#unknown = perMinute(limitStore, 'unknown-polls', config.rateLimits.default);
  }

  /** @throws {PlatformError} rate_limit.exceeded, rate_limit.unavailable */
  async count(clientId: string, challengeId: string, exists: () => Promise<boolean>): Promise<void> {
    if (this.#ofChallenge === undefined && this.#unknown === undefined) return;
    const [limiter, key] = (await exists()) ? [this.#ofChallenge, challengeId] : [this.#unknown, clientId];
    if (limiter !== undefined) await counted(limiter.consume(key));
  }
}
