import {
  limits,
  type ProofRequest,
  type RecoveryCodes,
  type TwoFactorEnrolment,
  type TwoFactorState,
} from '@symbolon/protocol';
import { secondFactorCodesReplaced, secondFactorOff, secondFactorOn } from '../../../access/login-mails.ts';
import type { AccountRef } from '../../../access/user-handle.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Notices } from '../mailed-codes/notices.ts';
import {
  type AccountKind,
  type AccountRow,
  idOf,
  NO_SECOND_FACTOR,
  requireAccount,
  requireFactor,
  writeToAccount,
} from './account.ts';
import type { AccountPresence } from './account-presence.ts';
import { proofOf } from './proof-of.ts';
import { countRecoveryCodes, passkeysOf, replaceRecoveryCodes, updateSecondFactor } from './store.ts';
import { newTotpSecret, totpSetup } from './totp.ts';

const RECOVERY_CODES = 10;
/** 49 bits, in two groups. */
const CODE_LENGTH = 10;

interface Deps<Row extends AccountRow> extends Pick<Core, 'clock' | 'database' | 'ids' | 'secrets'> {
  readonly notices: Notices;
  readonly presence: AccountPresence<Row>;
}

/**
 * The second factor of an account: switched on by a first code of an authenticator app, off by a proof of presence;
 * recovery codes for a lost phone.
 */
export class SecondFactor<Row extends AccountRow> {
  readonly #deps: Deps<Row>;
  readonly #kind: AccountKind<Row>;

  constructor(deps: Deps<Row>, kind: AccountKind<Row>) {
    this.#deps = deps;
    this.#kind = kind;
  }

  async state(ref: AccountRef): Promise<TwoFactorState> {
    const { reader } = this.#deps.database;
    const row = await this.#get(reader, ref);
    return {
      enabled: row.totp_enabled_at !== null,
      enabled_at: row.totp_enabled_at === null ? null : isoTime(row.totp_enabled_at),
      recovery_codes_left: await countRecoveryCodes(reader, this.#kind, ref),
    };
  }

  /**
   * Makes a secret for the authenticator app. Nothing is asked of a sign-in before a code of it was confirmed; an enrolment
   * that was begun before is void, and one that is not confirmed ends soon: its secret was on a screen.
   * @throws {PlatformError} account.two_factor_on, and those of `AccountPresence.prove`
   */
  async enrol(ref: AccountRef, proof: ProofRequest, source: string): Promise<TwoFactorEnrolment> {
    const { email, totp_enabled_at } = await this.#get(this.#deps.database.reader, ref);
    if (totp_enabled_at !== null) throw new PlatformError('account.two_factor_on');
    const { account } = await this.#prove(ref, 'enrol', proof, source);
    const secret = newTotpSecret();
    const stored = this.#deps.secrets.encrypt(secret, this.#deps.presence.factors.place(account));
    await this.#change(ref, async (writer) => {
      if ((await this.#get(writer, ref)).totp_enabled_at !== null)
        throw new PlatformError('account.two_factor_on');
      const begun = { totp_secret: stored, totp_begun_at: this.#deps.clock.now(), totp_last_step: 0 };
      await updateSecondFactor(writer, this.#kind, ref, begun);
    });
    return totpSetup(secret, email);
  }

  /**
   * Switches the second factor on by a first code, and gives the recovery codes.
   * @throws {PlatformError} account.two_factor_on, account.two_factor_not_started, auth.second_factor_invalid,
   *   auth.throttled
   */
  async confirm(ref: AccountRef, code: string, source: string): Promise<RecoveryCodes> {
    const now = this.#deps.clock.now();
    const codes = this.#newCodes(ref);
    const begun = await this.#get(this.#deps.database.reader, ref);
    if (begun.totp_enabled_at !== null) throw new PlatformError('account.two_factor_on');
    const endsAt = (begun.totp_begun_at ?? 0) + limits.totpEnrolmentMs;
    if (begun.totp_secret === null || endsAt <= now)
      throw new PlatformError('account.two_factor_not_started');
    // Tries are counted: who has a session alone could guess a code, and lock the owner out.
    await this.#deps.presence.factors.take(begun, { code });
    const email = await this.#change(ref, async (writer) => {
      const row = await this.#get(writer, ref);
      if (row.totp_enabled_at !== null) throw new PlatformError('account.two_factor_on');
      if (row.totp_secret !== begun.totp_secret) throw new PlatformError('account.two_factor_not_started');
      await updateSecondFactor(writer, this.#kind, ref, { totp_enabled_at: now, totp_begun_at: null });
      // Sign-ins that are past their password were not asked for the code.
      await this.#kind.dropSideDoors(writer, ref);
      await replaceRecoveryCodes(writer, this.#kind, ref, codes.hashes);
      await this.#kind.record(writer, row, { action: 'two_factor.switched_on', source });
      return row.email;
    });
    await this.#deps.notices.send(secondFactorOn(this.#kind.kind, email));
    return { recovery_codes: codes.shown };
  }

  /**
   * Recovery codes in place of those that were given before.
   * @throws {PlatformError} account.two_factor_off, and those of `AccountPresence.prove`
   */
  async newRecoveryCodes(ref: AccountRef, proof: ProofRequest, source: string): Promise<RecoveryCodes> {
    const { account } = await this.#proveOn(ref, 'recovery-codes', proof, source);
    const codes = this.#newCodes(ref);
    await this.#change(ref, async (writer) => {
      if ((await this.#get(writer, ref)).totp_enabled_at === null)
        throw new PlatformError('account.two_factor_off');
      await replaceRecoveryCodes(writer, this.#kind, ref, codes.hashes);
      await this.#kind.record(writer, account, { action: 'two_factor.recovery_codes_replaced', source });
    });
    await this.#deps.notices.send(secondFactorCodesReplaced(this.#kind.kind, account.email));
    return { recovery_codes: codes.shown };
  }

  /** @throws {PlatformError} account.two_factor_off, account.second_factor_needed, and those of `AccountPresence.prove` */
  async switchOff(ref: AccountRef, proof: ProofRequest, source: string): Promise<void> {
    const { account } = await this.#proveOn(ref, 'off', proof, source);
    await this.#change(ref, async (writer) => {
      await requireFactor(this.#kind, writer, ref, (await passkeysOf(writer, ref)).length > 0);
      await updateSecondFactor(writer, this.#kind, ref, NO_SECOND_FACTOR);
      await replaceRecoveryCodes(writer, this.#kind, ref, []);
      await this.#kind.dropSideDoors(writer, ref);
      await this.#kind.record(writer, account, { action: 'two_factor.switched_off', source });
    });
    await this.#deps.notices.send(secondFactorOff(this.#kind.kind, account.email));
  }

  async #proveOn(ref: AccountRef, act: string, proof: ProofRequest, source: string) {
    const proven = await this.#prove(ref, act, proof, source);
    if (proven.account.totp_enabled_at === null) throw new PlatformError('account.two_factor_off');
    return proven;
  }

  #prove(ref: AccountRef, act: string, proof: ProofRequest, source: string) {
    const name = `POST ${this.#kind.paths.secondFactor}/${act}`;
    return this.#deps.presence.prove(ref, name, proofOf(proof), source);
  }

  #newCodes(ref: AccountRef): { shown: string[]; hashes: string[] } {
    const codes = Array.from({ length: RECOVERY_CODES }, () => this.#deps.ids.code(CODE_LENGTH));
    return {
      shown: codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`),
      hashes: codes.map((code) => this.#deps.presence.factors.recoveryCodeHash(idOf(ref), code)),
    };
  }

  #change<T>(ref: AccountRef, work: (writer: Writer) => Promise<T>): Promise<T> {
    return writeToAccount(this.#deps.database, this.#kind, ref, work);
  }

  #get(reader: Reader, ref: AccountRef): Promise<Row> {
    return requireAccount(this.#kind, reader, ref);
  }
}
