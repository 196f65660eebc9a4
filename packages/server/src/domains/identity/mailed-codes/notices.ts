import { PlatformError } from '../../../core/errors.ts';
import type { Mail } from '../../../core/mail.ts';
import type { Core } from '../../domain.ts';

/** Mails that are made and sent after their requests were answered, at a time. */
const PENDING_MOST = 200;

type Deps = Pick<Core, 'log' | 'mail'>;

/** Mails about acts that are done: one that cannot be sent does not fail the act. */
export class Notices {
  readonly #deps: Deps;
  readonly #pending = new Set<Promise<void>>();

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async send(...mails: readonly Mail[]): Promise<void> {
    for (const mail of mails) await this.#attempt(async () => mail);
  }

  /**
   * To be asked before anything is counted for a mail: a call that is refused here can be repeated.
   * @throws {PlatformError} rate_limit.exceeded when too many are pending
   */
  refuseWhenFull(): void {
    if (this.#pending.size >= PENDING_MOST)
      throw new PlatformError('rate_limit.exceeded', { headers: { 'retry-after': '10' } });
  }

  /** Makes and sends a mail after the request was answered, so that the time of the answer does not show which mail it is. */
  later(make: () => Promise<Mail>): void {
    const work = this.#attempt(make).finally(() => this.#pending.delete(work));
    this.#pending.add(work);
  }

  /** Waits for the mails that are pending. */
  async stop(): Promise<void> {
    await Promise.all(this.#pending);
  }

  async #attempt(make: () => Promise<Mail>): Promise<void> {
    try {
      await this.#deps.mail.send(await make());
    } catch (error) {
      this.#deps.log.error({ err: error }, 'sending a mail about an account failed');
    }
  }
}
