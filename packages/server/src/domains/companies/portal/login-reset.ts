import type { MailedTicket, PortalResetConfirmRequest } from '@symbolon/protocol';
import { mailboxOf, normalizeEmail } from '../../../access/email.ts';
import type { UniqueNames } from '../../../access/unique-names.ts';
import { PlatformError } from '../../../core/errors.ts';
import { writeLocked } from '../../../db/database.ts';
import { CODE_MINUTES, isReady, type MailedTickets, type Notices } from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import type { Actor, Audit } from '../../operations/index.ts';
import { checkRecoveryKey, type RecoveryKey } from '../recovery/recovery-key.ts';
import { deleteSideDoors, loginByEmail, loginById, updateLogin } from './login-store.ts';
import { checkLoginMaterial, type Logins } from './logins.ts';
import { loginReset, noReset, resetCode } from './security-mails.ts';
import { deleteSessions } from './session-store.ts';

interface Deps extends Pick<Core, 'database'> {
  readonly logins: Logins;
  readonly tickets: MailedTickets;
  readonly notices: Notices;
  readonly names: UniqueNames;
  readonly recoveryKey: RecoveryKey;
  readonly audit: Audit;
}

/**
 * New secrets by mail for logins from before login secrets: they have no recovery code. All others are refused; for them a
 * mailbox alone must not suffice.
 */
export class LoginReset {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Answers the same for every address.
   * @throws {PlatformError} account.email_invalid, region.rebase_required, rate_limit.exceeded
   */
  async start(givenEmail: string): Promise<MailedTicket> {
    const email = normalizeEmail(givenEmail);
    if (email === undefined) throw new PlatformError('account.email_invalid');
    await this.#deps.names.assertSignsInHere('portal_email', email);
    return this.#deps.tickets.issue('reset', email, async (code) => {
      const login = await loginByEmail(this.#deps.database.reader, email);
      return login !== undefined && !isReady(login) ? resetCode(email, code, CODE_MINUTES) : noReset(email);
    });
  }

  /**
   * Gives the login its secrets. The company's own login brings a new recovery key: the one before cannot be opened any more.
   * @throws {PlatformError} account.key_invalid, account.recovery_key_invalid, account.code_invalid,
   *   account.recovery_key_required, account.company_login_only
   */
  async finish(request: PortalResetConfirmRequest, source: string): Promise<void> {
    const { recovery_key: recoveryKey } = request;
    await checkLoginMaterial(request);
    if (recoveryKey !== undefined) await checkRecoveryKey(recoveryKey);
    const email = await this.#deps.tickets.check('reset', request);
    const found = await loginByEmail(this.#deps.database.reader, email);
    if (found === undefined) throw new PlatformError('account.code_invalid');
    const ref = { companyId: found.company_id, loginId: found.id };
    const isCompany = ref.loginId === ref.companyId;
    if (isCompany && recoveryKey === undefined) throw new PlatformError('account.recovery_key_required');
    if (!isCompany && recoveryKey !== undefined) throw new PlatformError('account.company_login_only');
    const columns = await this.#deps.logins.keyColumns(request);
    const actor: Actor = { kind: 'portal', id: ref.loginId, name: email, source };
    await writeLocked(this.#deps.database, 'companies', ref.companyId, async (writer) => {
      await this.#deps.tickets.redeem(writer, 'reset', request);
      const login = await loginById(writer, ref);
      if (login === undefined || mailboxOf(login.email) !== mailboxOf(email) || isReady(login))
        throw new PlatformError('account.code_invalid');
      await updateLogin(writer, ref, columns);
      await deleteSessions(writer, ref);
      await deleteSideDoors(writer, ref);
      if (recoveryKey !== undefined)
        await this.#deps.recoveryKey.replace(writer, ref.companyId, ref.loginId, recoveryKey);
      const details = { recovery_key_replaced: recoveryKey !== undefined };
      const entry = { companyId: ref.companyId, actor, target: ref.loginId, details };
      await this.#deps.audit.record(writer, { ...entry, action: 'login.reset' });
    });
    await this.#deps.notices.send(loginReset(email, recoveryKey !== undefined));
  }
}
