import type { CodeMailed, EmailChangeRequest } from '@symbolon/protocol';
import { normalizeEmail } from '../../../access/email.ts';
import { emailChangeAsked, emailChangeCode, emailChanged, emailInUse } from '../../../access/login-mails.ts';
import type { UniqueName, UniqueNames } from '../../../access/unique-names.ts';
import type { AccountRef } from '../../../access/user-handle.ts';
import { isoTime } from '../../../core/clock.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Core } from '../../domain.ts';
import type { CodeMailLimits } from '../mailed-codes/mail-limits.ts';
import { CODE_MINUTES, MailedCodes } from '../mailed-codes/mailed-codes.ts';
import type { Notices } from '../mailed-codes/notices.ts';
import { type AccountKind, type AccountRow, idOf, requireAccount, writeToAccount } from './account.ts';
import type { AccountPresence } from './account-presence.ts';
import { proofOf } from './proof-of.ts';

interface Deps<Row extends AccountRow> extends Pick<Core, 'clock' | 'database' | 'ids' | 'mail' | 'secrets'> {
  readonly notices: Notices;
  readonly codeMailLimits: CodeMailLimits;
  readonly names: UniqueNames;
  readonly presence: AccountPresence<Row>;
  /** Whether an address has an account of this kind, here or in another region. */
  readonly isTaken: (email: string) => Promise<boolean>;
}

/**
 * Another e-mail address for an account, in two calls: a proof by two factors, which without a passkey and an authenticator
 * app is a code mailed to the present address; then the code that was mailed to the new one.
 */
export class EmailChange<Row extends AccountRow> {
  readonly #deps: Deps<Row>;
  readonly #kind: AccountKind<Row>;
  #mailed: MailedCodes<'person_codes'> | undefined;

  constructor(deps: Deps<Row>, kind: AccountKind<Row>) {
    this.#deps = deps;
    this.#kind = kind;
  }

  /** Made at the first use, as in `AccountPresence`. */
  get #codes(): MailedCodes<'person_codes'> {
    const table = this.#kind.tables.mailedCodes as 'person_codes';
    this.#mailed ??= new MailedCodes(this.#deps, table, (key) => `email code ${JSON.stringify(key)}`);
    return this.#mailed;
  }

  /**
   * Mails a code to the new address. The answer does not show whether that address has an account already; the mail to it
   * does.
   * @throws {PlatformError} account.email_invalid, rate_limit.exceeded, mail.unavailable, mail.refused, and those of
   *   `AccountPresence.prove`
   */
  async start(ref: AccountRef, request: EmailChangeRequest, source: string): Promise<CodeMailed> {
    const { codeMailLimits, database, isTaken, mail, notices, presence } = this.#deps;
    const { new_email, ...proof } = request;
    const email = normalizeEmail(new_email);
    if (email === undefined) throw new PlatformError('account.email_invalid');
    mail.refuseWhenAway();
    const { account } = await presence.prove(ref, `POST ${this.#kind.paths.email}`, proofOf(proof), source);
    const owner = ref.kind === 'person' ? ref.personId : ref.companyId;
    await codeMailLimits.consume({ subject: `email of ${idOf(ref)}`, account: owner, to: email });
    const key = this.#key(ref);
    const { code, expiresAt, row } = this.#codes.draw(key, { subject: email });
    await database.write((writer) => this.#codes.put(writer, key, row));
    const { kind } = this.#kind;
    const isInUse = await isTaken(email);
    await mail.send(isInUse ? emailInUse(kind, email) : emailChangeCode(kind, email, code, CODE_MINUTES));
    await notices.send(emailChangeAsked(kind, account.email, email));
    return { expires_at: isoTime(expiresAt) };
  }

  /** @throws {PlatformError} account.code_invalid, account.email_taken */
  async confirm(ref: AccountRef, code: string, source: string): Promise<void> {
    const { database, names, notices } = this.#deps;
    const { kind } = this.#kind;
    const owner = this.#kind.nameOwner(ref);
    const asked = await this.#codes.find(database.reader, this.#key(ref));
    const claim = asked === undefined ? [] : [this.#name(asked.subject)];
    const taken = () => new PlatformError('account.email_taken');
    const changed = await names.withClaim(owner, claim, taken, async () => {
      const outcome = await this.#redeem(ref, code, source);
      if (outcome === undefined) throw new PlatformError('account.code_invalid');
      return outcome;
    });
    await names.release(owner, [this.#name(changed.from)]);
    await notices.send(emailChanged(kind, changed.from, changed.to));
  }

  /** A wrong code is a try, which stays counted: undefined, and no error, in this transaction. */
  #redeem(ref: AccountRef, code: string, source: string): Promise<{ from: string; to: string } | undefined> {
    return writeToAccount(this.#deps.database, this.#kind, ref, async (writer) => {
      const row = await requireAccount(this.#kind, writer, ref);
      const redeemed = await this.#codes.redeem(writer, this.#key(ref), code);
      if (redeemed === undefined) return undefined;
      const details = { from: row.email, to: redeemed.subject };
      await this.#kind.setEmail(writer, ref, details.to);
      await this.#kind.dropSideDoors(writer, ref);
      await this.#kind.record(writer, row, { action: 'email.changed', source, details });
      return details;
    });
  }

  #name(name: string): UniqueName {
    return { kind: `${this.#kind.kind}_email`, name };
  }

  #key(ref: AccountRef) {
    return { ...this.#kind.owner(ref), purpose: 'email' } as { person_id: string; purpose: 'email' };
  }
}
