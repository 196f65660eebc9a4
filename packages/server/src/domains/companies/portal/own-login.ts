import type {
  CodeMailed,
  EmailChangeRequest,
  PasswordRequest,
  ProfileKeys,
  RecoverRequest,
  RecoveryCodeRequest,
  RecoveryKeyRequest,
  WrappedPrivateKey,
} from '@symbolon/protocol';
import { normalizeEmail } from '../../../access/email.ts';
import {
  type CredentialColumns,
  checkKeyMaterial,
  credentialColumns,
  passwordColumns,
  recoveryColumns,
} from '../../../access/key-material.ts';
import { passwordChanged, recovered, recoveryCodeReplaced } from '../../../access/login-mails.ts';
import type { UniqueNames } from '../../../access/unique-names.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import { type Writer, writeLocked } from '../../../db/database.ts';
import { CODE_MINUTES, type Credentials, type Notices } from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import type { RecoveryKey } from '../recovery/recovery-key.ts';
import type { LoginCodes } from './login-codes.ts';
import { deleteSideDoors } from './login-store.ts';
import type { Logins } from './logins.ts';
import type { Reauthentication } from './reauthentication.ts';
import { emailChangeAsked, emailChangeCode, emailChanged, emailInUse } from './security-mails.ts';
import { deleteSessions } from './session-store.ts';
import type { PortalPrincipal } from './sessions.ts';
import type { PortalLoginRow, ReadyLoginRow } from './tables.ts';

interface Deps extends Pick<Core, 'database' | 'mail' | 'secrets'> {
  readonly credentials: Credentials<PortalLoginRow>;
  readonly logins: Logins;
  readonly reauthentication: Reauthentication;
  readonly loginCodes: LoginCodes;
  readonly names: UniqueNames;
  readonly recoveryKey: RecoveryKey;
  readonly notices: Notices;
  readonly audit: Audit;
}

/** Changes that a login of the portal makes to itself: password, recovery code and e-mail address (wire 5.5). */
export class OwnLogin {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Sets a new password. Every other session of the login ends, and trust in its devices.
   * @throws {PlatformError} account.key_invalid, and those of `Reauthentication.prove`
   */
  async changePassword(caller: PortalPrincipal, request: PasswordRequest, actor: Actor): Promise<void> {
    await checkKeyMaterial({ password: request.new });
    const proven = await this.#deps.reauthentication.prove(
      caller,
      'PUT /api/account/password',
      request,
      actor.source ?? '',
    );
    const columns = await passwordColumns(request.new);
    await this.#change(proven, columns, actor, 'password.changed', async (writer) => {
      await deleteSessions(writer, caller, caller.sessionId);
      await deleteSideDoors(writer, caller);
    });
    await this.#deps.notices.send(passwordChanged('portal', proven.email));
  }

  /**
   * Puts a new recovery code in place of the present one.
   * @throws {PlatformError} account.key_invalid, and those of `Reauthentication.prove`
   */
  async replaceRecoveryCode(
    caller: PortalPrincipal,
    request: RecoveryCodeRequest,
    actor: Actor,
  ): Promise<void> {
    await checkKeyMaterial({ recovery: request.recovery });
    const proven = await this.#deps.reauthentication.prove(
      caller,
      'PUT /api/account/recovery-code',
      request,
      actor.source ?? '',
    );
    const columns = recoveryColumns(this.#deps.secrets, request.recovery);
    await this.#change(proven, columns, actor, 'recovery_code.replaced');
    await this.#deps.notices.send(recoveryCodeReplaced('portal', proven.email));
  }

  /** @throws {PlatformError} account.key_invalid, account.recovery_invalid, auth.throttled */
  recoveryKey(request: RecoveryKeyRequest, source: string): Promise<WrappedPrivateKey> {
    return this.#deps.credentials.recoveryKey(request, source);
  }

  /**
   * Sets a new password by the recovery code, which a new one replaces. All sessions of the login end; signing in takes the
   * second factor as before.
   * @throws {PlatformError} account.key_invalid, account.recovery_invalid, auth.throttled
   */
  async recover(request: RecoverRequest, source: string): Promise<void> {
    await checkKeyMaterial({ password: request, recovery: request.recovery });
    const proven = await this.#deps.credentials.proveRecovery(request, source);
    const ref = { companyId: proven.company_id, loginId: proven.id };
    const columns = await credentialColumns(this.#deps.secrets, request);
    const actor: Actor = { kind: 'portal', id: proven.id, name: proven.email, source };
    await this.#change(proven, columns, actor, 'login.recovered', async (writer) => {
      await deleteSessions(writer, ref);
      await deleteSideDoors(writer, ref);
    });
    await this.#deps.notices.send(recovered('portal', proven.email));
  }

  /** Changes secrets of a login that has proved itself. @throws {PlatformError} auth.credentials_invalid */
  async #change(
    proven: ReadyLoginRow,
    columns: Partial<CredentialColumns>,
    actor: Actor,
    action: string,
    also: (writer: Writer) => Promise<void> = async () => {},
  ): Promise<void> {
    await writeLocked(this.#deps.database, 'companies', proven.company_id, async (writer) => {
      await this.#deps.logins.replaceCredentials(writer, proven, columns);
      await also(writer);
      await this.#deps.audit.record(writer, {
        companyId: proven.company_id,
        actor,
        action,
        target: proven.id,
      });
    });
  }

  /** The company's own keys, public halves. */
  profileKeys(companyId: string): Promise<ProfileKeys> {
    return this.#deps.recoveryKey.publicKeys(companyId);
  }

  /**
   * Mails a code to the new address. The answer does not show whether that address has an account already; the mail to it
   * does.
   * @throws {PlatformError} account.email_invalid, rate_limit.exceeded, mail.unavailable, mail.refused, and those of
   *   `Reauthentication.prove`
   */
  async startEmailChange(
    caller: PortalPrincipal,
    request: EmailChangeRequest,
    actor: Actor,
  ): Promise<CodeMailed> {
    const email = normalizeEmail(request.new_email);
    if (email === undefined) throw new PlatformError('account.email_invalid');
    this.#deps.mail.refuseWhenAway();
    await this.#deps.reauthentication.prove(caller, 'POST /api/account/email', request, actor.source ?? '');
    const { code, expiresAt } = await this.#deps.loginCodes.issue(caller, 'email', {
      to: email,
      subject: email,
    });
    const taken = await this.#deps.credentials.isTaken(email);
    await this.#deps.mail.send(taken ? emailInUse(email) : emailChangeCode(email, code, CODE_MINUTES));
    await this.#deps.notices.send(emailChangeAsked(caller.email, email));
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
    await this.#deps.notices.send(emailChanged(caller.email, email));
  }
}
