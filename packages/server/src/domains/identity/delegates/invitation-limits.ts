import { counted, type Limiter, type LimitStore, memoryLimits } from '../../../access/limit-store.ts';

const HOUR_S = 60 * 60;

/** How many invitations are mailed in an hour: to one address, so that no mailbox is flooded, and for one company. */
export class InvitationLimits {
  readonly #ofAddress: Limiter;
  readonly #ofCompany: Limiter;

  constructor(store: LimitStore = memoryLimits) {
    this.#ofAddress = store.limiter({ keyPrefix: 'invitation-address', points: 5, duration: HOUR_S });
    this.#ofCompany = store.limiter({ keyPrefix: 'invitation-company', points: 100, duration: HOUR_S });
  }

  /** @throws {PlatformError} rate_limit.exceeded with Retry-After in whole seconds, rate_limit.unavailable */
  async consume(mail: { addressHash: string; companyId: string }): Promise<void> {
    await counted(this.#ofAddress.consume(mail.addressHash));
    await counted(this.#ofCompany.consume(mail.companyId));
  }
}
