import { PlatformError } from '../../../core/errors.ts';
import type { Mail } from '../../../core/mail.ts';
import type { Core } from '../../domain.ts';

/** Mails that are made and sent after their requests were answered, at a time. */
const PENDING_MOST = 200;

/** How often, and for how long, a mail is tried again that could not be sent: longer than that, its code has expired. */
const AGAIN_MS = 2_000;
const AGAIN_FOR_MS = 10 * 60_000;

type Deps = Pick<Core, 'clock' | 'log' | 'mail' | 'timers'>;

/** Mails about acts that are done: one that cannot be sent does not fail the act, and is tried again for some minutes. */
export class Notices {
  readonly #deps: Deps;
  readonly #pending = new Set<Promise<void>>();
  readonly #stopping = Promise.withResolvers<void>();
  #stopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async send(...mails: readonly Mail[]): Promise<void> {
    for (const mail of mails) {
      const done = await this.#attempt(async () => mail);
      if (!done) this.#keep(this.#again(async () => mail));
    }
  }

  /**
   * To be asked before anything is counted for a mail: a call that is refused here can be repeated.
   * @throws {PlatformError} mail.unavailable, rate_limit.exceeded when too many are pending
   */
  refuseWhenFull(): void {
    this.#deps.mail.refuseWhenAway();
    if (this.#pending.size >= PENDING_MOST)
      throw new PlatformError('rate_limit.exceeded', { headers: { 'retry-after': '10' } });
  }

  /** Makes and sends a mail after the request was answered, so that the time of the answer does not show which mail it is. */
  later(make: () => Promise<Mail>): void {
    this.#keep(this.#attempt(make).then((done) => (done ? undefined : this.#again(make))));
  }

  /** Waits for the mails that are being sent. Those that could not be sent yet are given up. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#stopping.resolve();
    await Promise.all(this.#pending);
  }

  #keep(sending: Promise<void>): void {
    const work = sending.finally(() => this.#pending.delete(work));
    this.#pending.add(work);
  }

  async #again(make: () => Promise<Mail>): Promise<void> {
    const until = this.#deps.clock.now() + AGAIN_FOR_MS;
    while (!this.#stopped && this.#pending.size <= PENDING_MOST && this.#deps.clock.now() < until) {
      let cancel = () => {};
      const pause = new Promise<void>((resolve) => {
        cancel = this.#deps.timers.after(AGAIN_MS, resolve);
      });
      await Promise.race([pause, this.#stopping.promise]).finally(cancel);
      if (await this.#attempt(make)) return;
    }
    this.#deps.log.error(
      this.#stopped
        ? 'a mail about an account was given up: the process ends while mail is unavailable'
        : 'a mail about an account was given up: mail was unavailable for too long',
    );
  }

  /** False when it can be tried again. */
  async #attempt(make: () => Promise<Mail>): Promise<boolean> {
    try {
      await this.#deps.mail.send(await make());
      return true;
    } catch (error) {
      // That mail is unavailable is logged once, where that is found out.
      if (error instanceof PlatformError && error.key === 'mail.unavailable') return false;
      this.#deps.log.error({ err: error }, 'sending a mail about an account failed');
      return true;
    }
  }
}
