import { mailboxOf } from '../../../access/email.ts';
import { counted, isLeft, type Limiter, type LimitStore } from '../../../access/limit-store.ts';
import type { Secrets } from '../../../core/secrets.ts';

const HOUR_S = 60 * 60;

/** Limits how many mails are sent in a while, counted under several keys. */
export class MailLimits<Prefix extends string> {
  readonly #limiters: [Prefix, Limiter][];

  /**
   * @param most mails in the window, by the prefix of the key they are counted under
   * @param duration of the window, in seconds
   */
  constructor(store: LimitStore, most: Readonly<Record<Prefix, number>>, duration = HOUR_S) {
    const prefixes = Object.keys(most) as Prefix[];
    this.#limiters = prefixes.map((keyPrefix) => [
      keyPrefix,
      store.limiter({ keyPrefix, points: most[keyPrefix], duration }),
    ]);
  }

  /** @throws {PlatformError} rate_limit.exceeded with Retry-After in whole seconds, rate_limit.unavailable */
  async consume(keys: Readonly<Record<Prefix, string>>): Promise<void> {
    for (const [prefix, limiter] of this.#limiters) await counted(limiter.consume(keys[prefix]));
  }

  /** Like `consume`; false when there is no mail left. @throws {PlatformError} rate_limit.unavailable */
  async allows(keys: Readonly<Record<Prefix, string>>): Promise<boolean> {
    for (const [prefix, limiter] of this.#limiters) {
      if (!(await isLeft(limiter.consume(keys[prefix])))) return false;
    }
    return true;
  }
}

/** Limits the mails with codes for people and companies that are signed in. */
export class CodeMailLimits {
  readonly #limits: MailLimits<'code-field' | 'code-person' | 'code-address'>;
  readonly #secrets: Pick<Secrets, 'hash'>;

  /**
   * The limits of the account and the address stop the owner of many fields or many accounts from flooding a mailbox.
   */
  constructor(store: LimitStore, secrets: Pick<Secrets, 'hash'>) {
    this.#limits = new MailLimits(store, { 'code-field': 5, 'code-person': 20, 'code-address': 10 });
    this.#secrets = secrets;
  }

  /**
   * @param mail what its code is for, the person or company it is for, and the address it goes to
   * @throws {PlatformError} rate_limit.exceeded
   */
  consume(mail: { subject: string; account: string; to: string }): Promise<void> {
    return this.#limits.consume({
      'code-field': mail.subject,
      'code-person': mail.account,
      'code-address': this.#secrets.hash(mailboxOf(mail.to)),
    });
  }
}
