import { PlatformError } from '../../../core/errors.ts';
import { type Writer, writeLocked } from '../../../db/database.ts';
import { type CodeMailLimits, MailedCodes } from '../../accounts/index.ts';
import type { Core } from '../../domain.ts';
import type { LoginRef } from './login-store.ts';
import type { LoginCodeRow } from './tables.ts';

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'secrets'> {
  readonly codeMailLimits: CodeMailLimits;
}

/** Mailed codes that confirm an act of a login: one at a time for each purpose. */
export class LoginCodes {
  readonly #deps: Deps;
  readonly #codes: MailedCodes<'login_codes'>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#codes = new MailedCodes(deps, 'login_codes', (key) => `login code ${key.login_id} ${key.purpose}`);
  }

  /**
   * Makes a code, which the caller mails. An earlier code for the same purpose is void.
   * @param to the address it is mailed to
   * @throws {PlatformError} rate_limit.exceeded
   */
  async issue(
    login: LoginRef,
    purpose: LoginCodeRow['purpose'],
    { to, subject }: { to: string; subject: string },
  ): Promise<{ code: string; expiresAt: number }> {
    const key = keyOf(login, purpose);
    const mail = { subject: `${purpose} of ${login.loginId}`, account: login.companyId, to };
    await this.#deps.codeMailLimits.consume(mail);
    const { code, expiresAt, row } = this.#codes.draw(key, { subject });
    await this.#deps.database.write((writer) => this.#codes.put(writer, key, row));
    return { code, expiresAt };
  }

  /**
   * Takes a code and does what it confirms, in one transaction.
   * @param act gets what the code was mailed for
   * @throws {PlatformError} account.code_invalid, and what `act` throws
   */
  async redeem<T>(
    login: LoginRef,
    purpose: LoginCodeRow['purpose'],
    given: string,
    act: (writer: Writer, subject: string) => Promise<T>,
  ): Promise<T> {
    const outcome = await writeLocked(this.#deps.database, 'companies', login.companyId, async (writer) => {
      const row = await this.#codes.redeem(writer, keyOf(login, purpose), given);
      return row === undefined ? undefined : { value: await act(writer, row.subject) };
    });
    if (outcome === undefined) throw new PlatformError('account.code_invalid');
    return outcome.value;
  }
}

const keyOf = (login: LoginRef, purpose: LoginCodeRow['purpose']) => ({
  company_id: login.companyId,
  login_id: login.loginId,
  purpose,
});
