import type {
  AuditAction,
  PasswordRequest,
  ProfileKeys,
  RecoverRequest,
  RecoveryCodeRequest,
  RecoveryKeyRequest,
  WrappedPrivateKey,
} from '@symbolon/protocol';
import {
  type CredentialColumns,
  checkKeyMaterial,
  credentialColumns,
  passwordColumns,
  recoveryColumns,
} from '../../../access/key-material.ts';
import { passwordChanged, recovered, recoveryCodeReplaced } from '../../../access/login-mails.ts';
import { type Writer, writeLocked } from '../../../db/database.ts';
import type { Credentials, Notices } from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import type { RecoveryKey } from '../recovery/recovery-key.ts';
import { deleteSideDoors } from './login-store.ts';
import type { Logins } from './logins.ts';
import type { Reauthentication } from './reauthentication.ts';
import { deleteSessions } from './session-store.ts';
import type { PortalPrincipal } from './sessions.ts';
import type { PortalLoginRow, ReadyLoginRow } from './tables.ts';

interface Deps extends Pick<Core, 'database' | 'secrets'> {
  readonly credentials: Credentials<PortalLoginRow>;
  readonly logins: Logins;
  readonly reauthentication: Reauthentication;
  readonly recoveryKey: RecoveryKey;
  readonly notices: Notices;
  readonly audit: Audit;
}

/** Changes that a login of the portal makes to itself: password and recovery code (wire 5.5). */
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
    action: AuditAction,
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
}
