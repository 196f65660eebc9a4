import { counted, type Limiter, type LimitStore, memoryLimits } from '../../../access/limit-store.ts';

const HOUR_S = 60 * 60;

/** Who a code is mailed for, and where. */
export interface CodeMail {
  /** What the code is for: a person's field, an act of a portal login. */
  readonly subject: string;
  /** The person or the company. */
  readonly account: string;
  /** A keyed hash: addresses are not kept. */
  readonly addressHash: string;
}

/**
 * Limits how many codes are mailed in an hour. The limits of the account and the address stop the owner of many fields or
 * many accounts from flooding a mailbox.
 */
export class CodeMailLimits {
  readonly #ofSubject: Limiter;
  readonly #ofAccount: Limiter;
  readonly #ofAddress: Limiter;

  constructor(store: LimitStore = memoryLimits) {
    const limiter = (keyPrefix: string, points: number) =>
      store.limiter({ keyPrefix, points, duration: HOUR_S });
    this.#ofSubject = limiter('code-field', 5);
    this.#ofAccount = limiter('code-person', 20);
    this.#ofAddress = limiter('code-address', 10);
  }

  /** @throws {PlatformError} rate_limit.exceeded with Retry-After in whole seconds, rate_limit.unavailable */
  async consume(mail: CodeMail): Promise<void> {
    await counted(this.#ofSubject.consume(mail.subject));
    await counted(this.#ofAccount.consume(mail.account));
    await counted(this.#ofAddress.consume(mail.addressHash));
  }
}
