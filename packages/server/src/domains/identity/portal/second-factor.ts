import type { ProofRequest, RecoveryCodes, TwoFactorEnrolment, TwoFactorState } from '@symbolon/protocol';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type Writer, writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import type { Notices } from '../mailed-codes/index.ts';
import { type AccountPresence, newTotpSecret, totpSetup, totpStep } from '../presence/index.ts';
import {
  countRecoveryCodes,
  deleteSideDoors,
  type LoginRef,
  replaceRecoveryCodes,
  takeTimeStep,
  updateLogin,
} from './login-store.ts';
import type { Logins } from './logins.ts';
import type { Reauthentication } from './reauthentication.ts';
import { secondFactorCodesReplaced, secondFactorOff, secondFactorOn } from './security-mails.ts';
import { totpSecretPlace } from './stored-places.ts';
import type { PortalLoginRow } from './tables.ts';

const RECOVERY_CODES = 10;
/** 49 bits, in two groups. */
const CODE_LENGTH = 10;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'secrets'> {
  readonly notices: Notices;
  readonly logins: Logins;
  readonly reauthentication: Reauthentication;
  readonly loginPresence: AccountPresence<PortalLoginRow>;
  readonly audit: Audit;
}

/** The second factor of a login: switched on by a first code, off by login secret and code; recovery codes for a lost phone. */
export class SecondFactor {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async state(ref: LoginRef): Promise<TwoFactorState> {
    const login = await this.#deps.logins.get(this.#deps.database.reader, ref);
    return {
      enabled: login.totp_enabled_at !== null,
      enabled_at: login.totp_enabled_at === null ? null : isoTime(login.totp_enabled_at),
      recovery_codes_left: await countRecoveryCodes(this.#deps.database.reader, ref),
    };
  }

  /**
   * Makes a secret for the authenticator app. Nothing is asked of a sign-in before a code of it was confirmed; an enrolment
   * that was begun before is void.
   * @throws {PlatformError} account.two_factor_on, and those of `Reauthentication.prove`
   */
  async enrol(
    caller: LoginRef & { email: string },
    proof: ProofRequest,
    source: string,
  ): Promise<TwoFactorEnrolment> {
    const { reader } = this.#deps.database;
    if ((await this.#deps.logins.get(reader, caller)).totp_enabled_at !== null)
      throw new PlatformError('account.two_factor_on');
    await this.#deps.reauthentication.prove(caller, 'POST /api/account/2fa/enrol', proof, source);
    const secret = newTotpSecret();
    const stored = this.#deps.secrets.encrypt(secret, totpSecretPlace(caller));
    await writeLocked(this.#deps.database, 'companies', caller.companyId, async (writer) => {
      if ((await this.#deps.logins.get(writer, caller)).totp_enabled_at !== null)
        throw new PlatformError('account.two_factor_on');
      await updateLogin(writer, caller, { totp_secret: stored, totp_last_step: 0 });
    });
    return totpSetup(secret, caller.email);
  }

  /**
   * Switches the second factor on by a first code, and gives the recovery codes.
   * @throws {PlatformError} account.two_factor_on, account.two_factor_not_started, auth.second_factor_invalid
   */
  async confirm(caller: LoginRef & { email: string }, code: string, actor: Actor): Promise<RecoveryCodes> {
    const now = this.#deps.clock.now();
    const codes = this.#newCodes(caller.loginId);
    await writeLocked(this.#deps.database, 'companies', caller.companyId, async (writer) => {
      const login = await this.#deps.logins.get(writer, caller);
      if (login.totp_enabled_at !== null) throw new PlatformError('account.two_factor_on');
      const secret = this.#deps.loginPresence.factors.totpSecret(login);
      if (secret === undefined) throw new PlatformError('account.two_factor_not_started');
      const step = totpStep(secret, code, now);
      if (step === undefined || !(await takeTimeStep(writer, caller, step)))
        throw new PlatformError('auth.second_factor_invalid');
      await updateLogin(writer, caller, { totp_enabled_at: now });
      // Sign-ins that are past their password were not asked for the code.
      await deleteSideDoors(writer, caller);
      await replaceRecoveryCodes(writer, caller, codes.hashes);
      await this.#record(writer, caller, actor, 'two_factor.switched_on');
    });
    await this.#deps.notices.send(secondFactorOn(caller.email));
    return { recovery_codes: codes.shown };
  }

  /**
   * Recovery codes in place of those that were given before.
   * @throws {PlatformError} account.two_factor_off, and those of `Reauthentication.prove`
   */
  async newRecoveryCodes(
    caller: LoginRef & { email: string },
    proof: ProofRequest,
    actor: Actor,
  ): Promise<RecoveryCodes> {
    await this.#prove(caller, 'POST /api/account/2fa/recovery-codes', proof, actor);
    const codes = this.#newCodes(caller.loginId);
    await writeLocked(this.#deps.database, 'companies', caller.companyId, async (writer) => {
      if ((await this.#deps.logins.get(writer, caller)).totp_enabled_at === null)
        throw new PlatformError('account.two_factor_off');
      await replaceRecoveryCodes(writer, caller, codes.hashes);
      await this.#record(writer, caller, actor, 'two_factor.recovery_codes_replaced');
    });
    await this.#deps.notices.send(secondFactorCodesReplaced(caller.email));
    return { recovery_codes: codes.shown };
  }

  /** @throws {PlatformError} account.two_factor_off, and those of `Reauthentication.prove` */
  async switchOff(caller: LoginRef & { email: string }, proof: ProofRequest, actor: Actor): Promise<void> {
    await this.#prove(caller, 'POST /api/account/2fa/off', proof, actor);
    await writeLocked(this.#deps.database, 'companies', caller.companyId, async (writer) => {
      await updateLogin(writer, caller, { totp_secret: null, totp_enabled_at: null, totp_last_step: 0 });
      await replaceRecoveryCodes(writer, caller, []);
      await deleteSideDoors(writer, caller);
      await this.#record(writer, caller, actor, 'two_factor.switched_off');
    });
    await this.#deps.notices.send(secondFactorOff(caller.email));
  }

  async #prove(
    caller: LoginRef & { email: string },
    act: string,
    proof: ProofRequest,
    actor: Actor,
  ): Promise<void> {
    const login = await this.#deps.reauthentication.prove(caller, act, proof, actor.source ?? '');
    if (login.totp_enabled_at === null) throw new PlatformError('account.two_factor_off');
  }

  #newCodes(loginId: string): { shown: string[]; hashes: string[] } {
    const codes = Array.from({ length: RECOVERY_CODES }, () => this.#deps.ids.code(CODE_LENGTH));
    return {
      shown: codes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`),
      hashes: codes.map((code) => this.#deps.loginPresence.factors.recoveryCodeHash(loginId, code)),
    };
  }

  #record(writer: Writer, ref: LoginRef, actor: Actor, action: string): Promise<void> {
    return this.#deps.audit.record(writer, { companyId: ref.companyId, actor, action, target: ref.loginId });
  }
}
