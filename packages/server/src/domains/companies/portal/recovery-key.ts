import type {
  OpenedRecoveryKey,
  ProofRequest,
  RecoveryKeyHolder,
  ShareRecoveryKeyRequest,
} from '@symbolon/protocol';
import { hasRole } from '../../../access/rules.ts';
import { PlatformError } from '../../../core/errors.ts';
import { writeLocked } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import type { RecoveryKey } from '../recovery/recovery-key.ts';
import { loginById, loginsOf } from './login-store.ts';
import type { Reauthentication } from './reauthentication.ts';
import type { PortalPrincipal } from './sessions.ts';

interface Deps extends Pick<Core, 'database'> {
  readonly reauthentication: Reauthentication;
  readonly recoveryKey: RecoveryKey;
  readonly audit: Audit;
}

/**
 * Who can open the company's recovery key: owners and admins, each with a copy of the private half that is sealed to the
 * key of their login. A device that can open it seals it for the others, after a person compared their fingerprints.
 */
export class RecoveryKeyHolders {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  async list(companyId: string): Promise<RecoveryKeyHolder[]> {
    const { reader } = this.#deps.database;
    const logins = await loginsOf(reader, companyId);
    const holders = await this.#deps.recoveryKey.holders(reader, companyId);
    return logins
      .filter((login) => hasRole(login.role, 'admin'))
      .map((login) => ({
        login_id: login.id,
        email: login.email,
        name: login.name,
        role: login.role,
        public_key: login.public_key,
        public_key_sha256: login.public_key_sha256,
        holds: holders.has(login.id),
      }));
  }

  /**
   * The caller's own copy.
   * @throws {PlatformError} account.recovery_key_not_shared, and those of `Reauthentication.prove`
   */
  async open(caller: PortalPrincipal, proof: ProofRequest, actor: Actor): Promise<OpenedRecoveryKey> {
    await this.#deps.reauthentication.prove(
      caller,
      'POST /api/account/recovery-key/open',
      proof,
      actor.source ?? '',
    );
    const { companyId, loginId } = caller;
    return this.#deps.database.write(async (writer) => {
      const opened = await this.#deps.recoveryKey.copyOf(writer, companyId, loginId);
      await this.#deps.audit.record(writer, {
        companyId,
        actor,
        action: 'recovery_key.opened',
        target: loginId,
      });
      return opened;
    });
  }

  /**
   * Gives a login its copy, from a login that has one. A copy that an owner has is replaced by owners alone.
   * @throws {PlatformError} delegates.not_found, auth.role_forbidden, account.recovery_key_not_shared when the caller has
   *   none, account.recovery_key_holder_changed, account.recovery_key_invalid, and those of `Reauthentication.prove`
   */
  async share(
    caller: PortalPrincipal,
    loginId: string,
    request: ShareRecoveryKeyRequest,
    actor: Actor,
  ): Promise<void> {
    await this.#deps.reauthentication.prove(
      caller,
      `PUT /api/account/recovery-key/holders/${loginId}`,
      request,
      actor.source ?? '',
    );
    const { companyId } = caller;
    await writeLocked(this.#deps.database, 'companies', companyId, async (writer) => {
      const holders = await this.#deps.recoveryKey.holders(writer, companyId);
      if (!holders.has(caller.loginId)) throw new PlatformError('account.recovery_key_not_shared');
      const login = await loginById(writer, { companyId, loginId });
      if (login === undefined || !hasRole(login.role, 'admin'))
        throw new PlatformError('delegates.not_found');
      if (login.role === 'owner' && holders.has(loginId) && !hasRole(caller.role, 'owner'))
        throw new PlatformError('auth.role_forbidden');
      if (login.public_key_sha256 !== request.public_key_sha256)
        throw new PlatformError('account.recovery_key_holder_changed');
      await this.#deps.recoveryKey.share(writer, companyId, loginId, request.sealed);
      await this.#deps.audit.record(writer, {
        companyId,
        actor,
        action: 'recovery_key.shared',
        target: loginId,
        details: { email: login.email, public_key_sha256: request.public_key_sha256 },
      });
    });
  }
}
