import type { MailedTicket } from '@symbolon/protocol';
import { regionMark } from '../../../access/routed-token.ts';
import { PlatformError } from '../../../core/errors.ts';
import type { Mail } from '../../../core/mail.ts';
import { lookUp } from '../../../core/secrets.ts';
import { serialize, type Writer } from '../../../db/database.ts';
import type { Core } from '../../domain.ts';
import type { MailLimits } from './mail-limits.ts';
import { MailedCodes } from './mailed-codes.ts';
import type { Notices } from './notices.ts';
import type { MailedTicketRow } from './tables.ts';

type Purpose = MailedTicketRow['purpose'];
/** Ticket and code, as the second call sends them. */
interface Confirmation {
  readonly ticket: string;
  readonly code: string;
}

interface Deps extends Pick<Core, 'clock' | 'database' | 'ids' | 'regions' | 'secrets'> {
  readonly notices: Notices;
  readonly ticketMailLimits: MailLimits<'ticket-address'>;
}

/**
 * Acts in two calls for a caller who is not signed in: the first takes an e-mail address and gives a ticket, the second
 * takes the ticket and the code that was mailed. The first call does and answers the same for every address; what is mailed
 * is decided after the answer.
 */
export class MailedTickets {
  readonly #deps: Deps;
  readonly #codes: MailedCodes<'mailed_tickets'>;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#codes = new MailedCodes(deps, 'mailed_tickets', (key) => `ticket ${key.ticket_hash}`);
  }

  /**
   * Begins an act. An address gets one mail in a while; a ticket beyond that has no code.
   * @param mailOf makes the mail, with or without the code
   * @throws {PlatformError} rate_limit.exceeded, rate_limit.unavailable
   */
  async issue(
    purpose: Purpose,
    email: string,
    mailOf: (code: string) => Promise<Mail>,
  ): Promise<MailedTicket> {
    const { database, ids, notices, regions, secrets, ticketMailLimits } = this.#deps;
    notices.refuseWhenFull();
    const isMailed = await ticketMailLimits.allows({ 'ticket-address': secrets.hash(`${purpose} ${email}`) });
    const ticket = `${regionMark(regions)}${ids.token(32)}`;
    const key = { ticket_hash: secrets.hash(ticket) };
    const { code, row } = this.#codes.draw(key, { purpose, email }, isMailed ? undefined : ids.token(32));
    await database.write((writer) => this.#codes.put(writer, key, row));
    if (isMailed) notices.later(() => mailOf(code));
    return { ticket };
  }

  /**
   * The address whose code this is. A wrong code is a try of its ticket; a right one stays good for `redeem`.
   * @throws {PlatformError} account.code_invalid
   */
  async check(purpose: Purpose, given: Confirmation): Promise<string> {
    const row = await this.#deps.database.write((writer) => this.#find(writer, purpose, given));
    if (row === undefined) throw new PlatformError('account.code_invalid');
    return row.email;
  }

  /** Uses a ticket up, in the transaction of its act. @throws {PlatformError} account.code_invalid */
  async redeem(writer: Writer, purpose: Purpose, given: Confirmation): Promise<void> {
    const row = await this.#find(writer, purpose, given);
    if (row === undefined) throw new PlatformError('account.code_invalid');
    await this.#codes.delete(writer, { ticket_hash: row.ticket_hash });
  }

  async #find(
    writer: Writer,
    purpose: Purpose,
    { ticket, code }: Confirmation,
  ): Promise<MailedTicketRow | undefined> {
    const hashes = this.#deps.secrets.hashes(ticket);
    // Tries of one ticket are counted one after the other.
    await serialize(this.#deps.database.engine, writer, [`ticket ${hashes[0]}`]);
    const found = await lookUp(hashes, (hash) => this.#codes.find(writer, { ticket_hash: hash }));
    if (found?.purpose !== purpose) return undefined;
    return this.#codes.check(writer, { ticket_hash: found.ticket_hash }, code);
  }
}
