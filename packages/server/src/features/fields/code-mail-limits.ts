import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { PlatformError } from '../../errors.ts';

const HOUR_S = 60 * 60;

/** Who a code is mailed for, and where. */
export interface CodeMail {
  readonly fieldId: string;
  readonly personId: string;
  /** A keyed hash: addresses are not kept. */
  readonly addressHash: string;
}

/**
 * How many codes are mailed in an hour. The field's limit is what people meet; the other two keep somebody with many
 * fields or many accounts from flooding a mailbox.
 */
export class CodeMailLimits {
  readonly #ofField = new RateLimiterMemory({ keyPrefix: 'code-field', points: 5, duration: HOUR_S });
  readonly #ofPerson = new RateLimiterMemory({ keyPrefix: 'code-person', points: 20, duration: HOUR_S });
  readonly #ofAddress = new RateLimiterMemory({ keyPrefix: 'code-address', points: 10, duration: HOUR_S });

  /** @throws {PlatformError} rate_limit.exceeded with Retry-After in whole seconds */
  async consume(mail: CodeMail): Promise<void> {
    await take(this.#ofField, mail.fieldId);
    await take(this.#ofPerson, mail.personId);
    await take(this.#ofAddress, mail.addressHash);
  }
}

async function take(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (!(error instanceof RateLimiterRes))
      throw new PlatformError('rate_limit.unavailable', { cause: error });
    const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    throw new PlatformError('rate_limit.exceeded', { headers: { 'retry-after': String(seconds) } });
  }
}
