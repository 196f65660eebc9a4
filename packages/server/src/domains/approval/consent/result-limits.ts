import { counted, type Limiter, perMinute } from '../../../access/limit-store.ts';
import { networkOf } from '../../../core/ip-address.ts';
import type { Core } from '../../domain.ts';

/**
 * Polls of an open state count for that state alone: a client ends a sign-in for good on a 429. All others count for the address,
 * and for the app once its secret was right.
 */
export class ResultLimits {
  readonly #ofState: Limiter | undefined;
  readonly #ofAddress: Limiter | undefined;
  readonly #ofApp: Limiter | undefined;

  constructor({ config, limitStore }: Pick<Core, 'config' | 'limitStore'>) {
    this.#ofState = perMinute(limitStore, 'results', config.rateLimits.polls);
    this.#ofAddress = perMinute(limitStore, 'unopened', config.rateLimits.unopened);
    this.#ofApp = perMinute(limitStore, 'unopened-app', config.rateLimits.unopened);
  }

  /** @throws {PlatformError} rate_limit.exceeded, rate_limit.unavailable */
  async countState(requestId: string): Promise<void> {
    if (this.#ofState !== undefined) await counted(this.#ofState.consume(requestId));
  }

  /** @throws {PlatformError} rate_limit.exceeded, rate_limit.unavailable */
  async countAddress(source: string): Promise<void> {
    if (this.#ofAddress !== undefined) await counted(this.#ofAddress.consume(networkOf(source)));
  }

  /** @throws {PlatformError} rate_limit.exceeded, rate_limit.unavailable */
  async countApp(clientId: string): Promise<void> {
    if (this.#ofApp !== undefined) await counted(this.#ofApp.consume(clientId));
  }
}
