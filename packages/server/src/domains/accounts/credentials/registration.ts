import type { MailedTicket } from '@symbolon/protocol';
import { normalizeEmail } from '../../../access/email.ts';
import { alreadyRegistered, type LoginKind, registrationCode } from '../../../access/login-mails.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Writer } from '../../../db/database.ts';
import { CODE_MINUTES } from '../mailed-codes/mailed-codes.ts';
import type { MailedTickets } from '../mailed-codes/mailed-tickets.ts';

/** How an account comes to have its address. */
export interface AddressProof {
  readonly email: string;
  /** The refusal for an address that another account has. */
  taken(): PlatformError;
  /** Uses the proof up, in the transaction that makes the account. @throws {PlatformError} account.code_invalid */
  redeem(writer: Writer): Promise<void>;
}

interface Deps {
  readonly tickets: MailedTickets;
  /** Whether an address has an account of this kind. */
  readonly isTaken: (email: string) => Promise<boolean>;
  /** Whether this is a closed installation, where registering takes one call and no code. */
  readonly withoutCode: boolean;
}

/**
 * Registering in two calls, for people and companies alike. The first one answers the same for every address and makes
 * nothing but a ticket; a mail tells who reads it whether there is an account already.
 */
export class Registration {
  readonly #deps: Deps;
  readonly #kind: LoginKind;

  constructor(deps: Deps, kind: LoginKind) {
    this.#deps = deps;
    this.#kind = kind;
  }

  /**
   * The first call.
   * @param make makes the account at once, where no code is needed
   * @throws {PlatformError} account.email_invalid, account.confirmation_required, rate_limit.exceeded, and what `make`
   *   throws
   */
  async start<Account, Session>(
    given: { readonly email: string; readonly account?: Account },
    make: (account: Account, proof: AddressProof) => Promise<Session>,
  ): Promise<MailedTicket | Session> {
    const email = normalizeEmail(given.email);
    if (email === undefined) throw new PlatformError('account.email_invalid');
    if (given.account === undefined) return this.#mail(email);
    if (!this.#deps.withoutCode) throw new PlatformError('account.confirmation_required');
    const taken = () => new PlatformError('account.email_taken');
    return make(given.account, { email, taken, async redeem() {} });
  }

  /**
   * The second call. Key material is checked before it, so that it costs no try.
   * @throws {PlatformError} account.code_invalid, also when the address has an account, and what `make` throws
   */
  async finish<Account, Session>(
    given: { readonly ticket: string; readonly code: string; readonly account: Account },
    make: (account: Account, proof: AddressProof) => Promise<Session>,
  ): Promise<Session> {
    const { tickets } = this.#deps;
    return make(given.account, {
      email: await tickets.check(this.#kind, given),
      taken: () => new PlatformError('account.code_invalid'),
      redeem: (writer) => tickets.redeem(writer, this.#kind, given),
    });
  }

  #mail(email: string): Promise<MailedTicket> {
    return this.#deps.tickets.issue(this.#kind, email, async (code) =>
      (await this.#deps.isTaken(email))
        ? alreadyRegistered(this.#kind, email)
        : registrationCode(this.#kind, email, code, CODE_MINUTES),
    );
  }
}
