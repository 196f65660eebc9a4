import { PlatformError } from '../../../core/errors.ts';
import { lock, type Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { CodeMailLimits } from '../fields/index.ts';
import { codeOf, countAttempt, deleteCode, putCode } from './code-store.ts';
import type { LoginRef } from './login-store.ts';
import type { LoginCodeRow } from './tables.ts';

const CODE_DIGITS = 6;
export const CODE_MINUTES = 15;
const ATTEMPTS_MOST = 5;

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'secrets'> {
  readonly codeMailLimits: CodeMailLimits;
}

/** Codes that are mailed to confirm an act of a login: short-lived, few tries, one at a time for each purpose. */
export class LoginCodes {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * Makes a code, which the caller mails. One that is out for the same purpose is void.
   * @param to the address it is mailed to
   * @throws {PlatformError} rate_limit.exceeded
   */
  async issue(
    login: LoginRef,
    purpose: LoginCodeRow['purpose'],
    { to, subject }: { to: string; subject: string },
  ): Promise<{ code: string; expiresAt: number }> {
    await this.#deps.codeMailLimits.consume({
      subject: `${purpose} of ${login.loginId}`,
      account: login.companyId,
      addressHash: this.#deps.secrets.hash(to),
    });
    const code = this.#deps.ids.digits(CODE_DIGITS);
    const expiresAt = this.#deps.clock.now() + CODE_MINUTES * 60_000;
    await this.#deps.database.write((writer) =>
      putCode(writer, {
        company_id: login.companyId,
        login_id: login.loginId,
        purpose,
        code_hash: this.#hash(login, purpose, code),
        subject,
        attempts: 0,
        expires_at: expiresAt,
      }),
    );
    return { code, expiresAt };
  }

  /** What the code that is out was mailed for. */
  async subject(login: LoginRef, purpose: LoginCodeRow['purpose']): Promise<string | undefined> {
    return (await codeOf(this.#deps.database.reader, login, purpose))?.subject;
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
    const hash = this.#hash(login, purpose, given.replace(/\s/g, ''));
    const outcome = await this.#deps.database.write(async (writer) => {
      await lock(this.#deps.database.engine, writer, 'companies', [login.companyId]);
      const row = await codeOf(writer, login, purpose);
      if (row === undefined || row.expires_at <= this.#deps.clock.now() || row.attempts >= ATTEMPTS_MOST)
        return undefined;
      if (row.code_hash !== hash) {
        // Returned, not thrown: a throw would undo the count.
        await countAttempt(writer, login, purpose);
        return undefined;
      }
      await deleteCode(writer, login, purpose);
      return { value: await act(writer, row.subject) };
    });
    if (outcome === undefined) throw new PlatformError('account.code_invalid');
    return outcome.value;
  }

  #hash(login: LoginRef, purpose: string, code: string): string {
    return this.#deps.secrets.hash(`login code ${login.loginId} ${purpose} ${code}`);
  }
}
