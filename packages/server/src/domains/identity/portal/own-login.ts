import type {
  CodeMailed,
  EmailChangeRequest,
  PasswordRequest,
  ProfileKeys,
  ProfileKeysRequest,
} from '@symbolon/protocol';
import { normalizeEmail } from '../../../access/email.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type Writer, writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import { CODE_MINUTES } from '../mailed-codes/index.ts';
import type { UniqueNames } from '../ports.ts';
import type { RecoveryCopies } from '../recovery/index.ts';
import type { LoginCodes } from './login-codes.ts';
import { deleteSideDoors, loginByEmail, updateLogin } from './login-store.ts';
import { type Logins, passwordHash } from './logins.ts';
import type { Reauthentication } from './reauthentication.ts';
import {
  emailChangeAsked,
  emailChangeCode,
  emailChanged,
  emailInUse,
  passwordChanged,
} from './security-mails.ts';
import { deleteSessions } from './session-store.ts';
import type { PortalPrincipal } from './sessions.ts';

interface Deps extends Pick<Core, 'database' | 'mail'> {
  readonly logins: Logins;
  readonly reauthentication: Reauthentication;
  readonly loginCodes: LoginCodes;
  readonly names: UniqueNames;
  readonly recovery: RecoveryCopies;
  readonly audit: Audit;
}

/** Changes that a login of the portal makes to itself: password and e-mail address (wire 5.5). */
export class OwnLogin {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Sets a new password. Every other session of the login ends, and trust in its devices. The company's own login sends
   * the recovery key wrapped anew, for that is wrapped under this very password (wire 5.6).
   * @throws {PlatformError} auth.credentials_invalid, auth.throttled, account.password_weak,
   *   account.recovery_key_required, account.recovery_key_invalid, account.company_login_only
   */
  async changePassword(caller: PortalPrincipal, request: PasswordRequest, actor: Actor): Promise<void> {
    const wrapped = request.recovery_private_key;
    const isCompany = caller.loginId === caller.companyId;
    if (isCompany && wrapped === undefined) throw new PlatformError('account.recovery_key_required');
    if (!isCompany && wrapped !== undefined) throw new PlatformError('account.company_login_only');
    const proven = await this.#deps.reauthentication.password(
      caller,
      request.current_password,
      actor.source ?? '',
    );
    const hash = await passwordHash(request.new_password);
    await writeLocked(this.#deps.database, 'companies', caller.companyId, async (writer) => {
      const login = await this.#deps.logins.get(writer, caller);
      // Another request changed the password after this one was checked.
      if (login.password_hash !== proven.password_hash) throw new PlatformError('auth.credentials_invalid');
      await updateLogin(writer, caller, { password_hash: hash });
      if (wrapped !== undefined)
        await this.#deps.recovery.replacePrivateKey(writer, caller.companyId, wrapped);
      await deleteSessions(writer, caller, caller.sessionId);
      await deleteSideDoors(writer, caller);
      await this.#deps.audit.record(writer, {
        companyId: caller.companyId,
        actor,
        action: 'password.changed',
        target: caller.loginId,
      });
    });
    await this.#deps.mail.send(passwordChanged(caller.email));
  }

  /** The company's own keys, public halves. */
  profileKeys(companyId: string): Promise<ProfileKeys> {
    return this.#deps.recovery.publicKeys(companyId);
  }

  /**
   * Replaces the wrapped recovery key, say after it was wrapped wrongly. Its public half stays, for copies are sealed to it.
   * @throws {PlatformError} account.company_login_only, auth.credentials_invalid, auth.throttled,
   *   account.recovery_key_invalid
   */
  async replaceRecoveryKey(
    caller: PortalPrincipal,
    request: ProfileKeysRequest,
    actor: Actor,
  ): Promise<void> {
    if (caller.loginId !== caller.companyId) throw new PlatformError('account.company_login_only');
    await this.#deps.reauthentication.password(caller, request.password, actor.source ?? '');
    await writeLocked(this.#deps.database, 'companies', caller.companyId, async (writer) => {
      await this.#deps.recovery.replacePrivateKey(writer, caller.companyId, request.recovery_private_key);
      await this.#deps.audit.record(writer, {
        companyId: caller.companyId,
        actor,
        action: 'recovery_key.rewrapped',
        target: caller.companyId,
      });
    });
  }

  /**
   * Mails a code to the new address. The answer does not show whether that address has an account already; the mail to it
   * does.
   * @throws {PlatformError} account.email_invalid, rate_limit.exceeded, and those of `Reauthentication.both`
   */
  async startEmailChange(
    caller: PortalPrincipal,
    request: EmailChangeRequest,
    actor: Actor,
  ): Promise<CodeMailed> {
    const email = normalizeEmail(request.new_email);
    if (email === undefined) throw new PlatformError('account.email_invalid');
    await this.#deps.reauthentication.both(caller, request, actor.source ?? '');
    const { code, expiresAt } = await this.#deps.loginCodes.issue(caller, 'email', {
      to: email,
      subject: email,
    });
    const taken = (await loginByEmail(this.#deps.database.reader, email)) !== undefined;
    await Promise.all([
      this.#deps.mail.send(taken ? emailInUse(email) : emailChangeCode(email, code, CODE_MINUTES)),
      this.#deps.mail.send(emailChangeAsked(caller.email, email)),
    ]);
    return { expires_at: isoTime(expiresAt) };
  }

  /** @throws {PlatformError} account.code_invalid, account.email_taken */
  async confirmEmailChange(caller: PortalPrincipal, code: string, actor: Actor): Promise<void> {
    const change = async (writer: Writer, subject: string) => {
      await this.#deps.logins.setEmail(writer, caller, subject);
      await deleteSideDoors(writer, caller);
      await this.#deps.audit.record(writer, {
        companyId: caller.companyId,
        actor,
        action: 'email.changed',
        target: caller.loginId,
        details: { from: caller.email, to: subject },
      });
      return subject;
    };
    const owner = { kind: 'company', id: caller.companyId } as const;
    const asked = await this.#deps.loginCodes.subject(caller, 'email');
    const claim = asked === undefined ? [] : [{ kind: 'portal_email', name: asked } as const];
    const taken = () => new PlatformError('account.email_taken');
    const email = await this.#deps.names.withClaim(owner, claim, taken, () =>
      this.#deps.loginCodes.redeem(caller, 'email', code, change),
    );
    await this.#deps.names.release(owner, [{ kind: 'portal_email', name: caller.email }]);
    await this.#deps.mail.send(emailChanged(caller.email, email));
  }
}
