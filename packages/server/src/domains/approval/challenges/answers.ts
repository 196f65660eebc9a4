import { Event, limits, type Presence as Proven, type TwoFactorStatus } from '@symbolon/protocol';
import { isLeft, type Limiter } from '../../../access/limit-store.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { isSameText } from '../../../core/same-text.ts';
import { lock, type Writer } from '../../../db/database.ts';
import type { Outbox } from '../../../events/outbox.ts';
import type { PersonSignals } from '../../../events/person-signals.ts';
import type { Notices } from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import type { Audit, ServiceLogs } from '../../operations/index.ts';
import { noteAnswer } from '../enrolments/quiet-time.ts';
import type { PendingChallenges } from '../ports.ts';
import { needsDigits, statusOf } from './challenges.ts';
import { notMeMail } from './mails.ts';
import { type AskedChallenge, askedById, askedOf, completeChallenge, setWrongDigits } from './store.ts';

/** One mail to a service's admin for a person who did not start a login. */
const NOT_ME_WINDOW_S = 10 * 60;

interface Deps extends Pick<Core, 'clock' | 'database' | 'limitStore'> {
  readonly personSignals: PersonSignals;
  readonly outbox: Outbox;
  readonly logs: ServiceLogs;
  readonly audit: Audit;
  readonly notices: Notices;
}

type Completed = 'approved' | 'denied' | 'revoked';

/** A challenge that waits, in the transaction of its answer. */
interface Asked {
  readonly writer: Writer;
  readonly row: AskedChallenge;
  /** The last step. @param by the proof of an approval */
  readonly complete: (status: Completed, by?: Proven['method']) => Promise<void>;
}

/** How people answer, and what ends a challenge without an answer (wire 3.1). */
export class Answers implements PendingChallenges {
  readonly #deps: Deps;
  readonly #notMeMails: Limiter;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#notMeMails = deps.limitStore.limiter({
      keyPrefix: 'not-me-mail',
      points: 1,
      duration: NOT_ME_WINDOW_S,
    });
  }

  /**
   * Approves. The caller has checked the proof of presence, which was made for this challenge.
   * @param given.digits what the person typed
   * @param given.proven what the proof came to; of a service with require_2fa it must be two factors
   * @throws {PlatformError} twofa.not_found, twofa.not_pending, auth.two_factor_required, twofa.number_matching_required,
   *   twofa.digits_required, twofa.digits_wrong with `tries_left`; the third wrong entry denies
   */
  async approve(
    personId: string,
    id: string,
    { digits, proven }: { digits: string | undefined; proven: Proven },
  ): Promise<{ status: TwoFactorStatus }> {
    const wrong = await this.#answer(personId, id, async ({ writer, row, complete }) => {
      if (row.require_2fa === 1 && !proven.twoFactor) throw new PlatformError('auth.two_factor_required');
      if (!needsDigits(row)) return void (await complete('approved', proven.method));
      if (row.digits === null) throw new PlatformError('twofa.number_matching_required');
      if (digits === undefined) throw new PlatformError('twofa.digits_required');
      if (isSameText(digits, row.digits)) return void (await complete('approved', proven.method));
      const entries = row.wrong_digits + 1;
      await setWrongDigits(writer, row, entries);
      if (entries >= limits.wrongDigitsMost) await complete('denied');
      return limits.wrongDigitsMost - entries;
    });
    if (wrong !== undefined)
      throw new PlatformError('twofa.digits_wrong', { details: { tries_left: wrong } });
    return { status: 'approved' };
  }

  /**
   * Denies: one tap, without a proof.
   * @param notMe the person did not start the login: the service's log says so, and its admin gets a mail
   * @throws {PlatformError} twofa.not_found, twofa.not_pending
   */
  async deny(personId: string, id: string, notMe: boolean): Promise<{ status: TwoFactorStatus }> {
    let reported: AskedChallenge | undefined;
    await this.#answer(personId, id, async ({ writer, row, complete }) => {
      reported = notMe ? row : undefined;
      if (notMe) await this.#noteNotMe(writer, row);
      await complete('denied');
    });
    if (reported !== undefined) await this.#mailAdmin(reported);
    return { status: 'denied' };
  }

  /** Quiet time bounds how often a person can say so of a service. */
  async #noteNotMe(writer: Writer, row: AskedChallenge): Promise<void> {
    await this.#deps.logs.write(writer, {
      companyId: row.company_id,
      serviceId: row.service_id,
      type: 'email',
      message: 'A person did not start this login',
      metadata: { challenge_id: row.id, share_code: row.share_code },
    });
    await this.#deps.audit.record(writer, {
      companyId: row.company_id,
      actor: { kind: 'platform', id: '' },
      action: 'service.login_disowned',
      target: row.service_id,
      details: { challenge_id: row.id },
    });
  }

  async revoke(writer: Writer, asked: { serviceId: string; personId: string }): Promise<readonly string[]> {
    const rows = await askedOf(writer, asked.personId, this.#deps.clock.now());
    const ofService = rows.filter((row) => row.service_id === asked.serviceId);
    await this.#complete(writer, ofService, 'revoked');
    return ofService.map(({ id }) => id);
  }

  tellClosed(personId: string, ids: readonly string[], home?: string | null): void {
    for (const id of ids)
      this.#deps.personSignals.tell(personId, { kind: 'two_factor_challenge_closed', id }, home);
  }

  /** Runs an answer to a challenge that waits, and has the person's devices close the card when it does no longer. */
  async #answer<T>(personId: string, id: string, work: (asked: Asked) => Promise<T>): Promise<T> {
    const { clock, database } = this.#deps;
    const { result, isClosed, home } = await database.write(async (writer) => {
      await lock(database.engine, writer, 'persons', [personId]);
      const [row] = await askedById(writer, personId, id);
      if (row === undefined) throw new PlatformError('twofa.not_found');
      const status = statusOf(row, clock.now());
      if (status !== 'pending') throw new PlatformError('twofa.not_pending', { details: { status } });
      let isClosed = false;
      const complete = async (status: Completed, by?: Proven['method']) => {
        isClosed = true;
        await this.#complete(writer, [row], status, by);
      };
      return { result: await work({ writer, row, complete }), isClosed, home: row.region };
    });
    if (isClosed) this.tellClosed(personId, [id], home);
    return result;
  }

  /** Completes challenges of one person, whose lock the caller holds; the last step of a transaction. */
  async #complete(
    writer: Writer,
    rows: readonly AskedChallenge[],
    status: Completed,
    by: Proven['method'] | null = null,
  ): Promise<void> {
    const at = this.#deps.clock.now();
    for (const { company_id, id } of rows) await completeChallenge(writer, company_id, id, status, by, at);
    if (status !== 'revoked') for (const row of rows) await noteAnswer(writer, row, status, at);
    await this.#deps.outbox.raise(
      writer,
      rows.map((row) => ({
        event: Event.twoFactorChallengeCompleted,
        companyId: row.company_id,
        serviceId: row.service_id,
        customer: { id: row.person_id, type: 'person' as const, shareCode: row.share_code },
        connectionId: null,
        payload: { challenge_id: row.id, status, completed_at: isoTime(at) },
      })),
    );
  }

  async #mailAdmin(row: AskedChallenge): Promise<void> {
    // What cannot be counted is not mailed; the log of the service has it.
    const key = `${row.service_id} ${row.person_id}`;
    const mayMail = await isLeft(this.#notMeMails.consume(key)).catch(() => false);
    if (mayMail) this.#deps.notices.later(async () => notMeMail(row));
  }
}
