import { counted, type Limiter, type LimitStore } from '../../../access/limit-store.ts';

const HOUR_S = 60 * 60;

/** Limits how many mails are sent in an hour, counted under several keys. */
export class MailLimits<Prefix extends string> {
  readonly #limiters: [Prefix, Limiter][];

  /** @param perHour mails an hour, by the prefix of the key they are counted under */
  constructor(store: LimitStore, perHour: Readonly<Record<Prefix, number>>) {
    const prefixes = Object.keys(perHour) as Prefix[];
    this.#limiters = prefixes.map((keyPrefix) => [
      keyPrefix,
      store.limiter({ keyPrefix, points: perHour[keyPrefix], duration: HOUR_S }),
    ]);
  }

  /** @throws {PlatformError} rate_limit.exceeded with Retry-After in whole seconds, rate_limit.unavailable */
  async consume(keys: Readonly<Record<Prefix, string>>): Promise<void> {
    for (const [prefix, limiter] of this.#limiters) await counted(limiter.consume(keys[prefix]));
  }
}

export type CodeMailLimits = MailLimits<'code-field' | 'code-person' | 'code-address'>;

/**
 * The limits of the account and the address stop the owner of many fields or many accounts from flooding a mailbox.
 * `code-field` counts what a code is for, `code-person` the person or the company.
 */
export const codeMailLimits = (store: LimitStore): CodeMailLimits =>
  new MailLimits(store, { 'code-field': 5, 'code-person': 20, 'code-address': 10 });
