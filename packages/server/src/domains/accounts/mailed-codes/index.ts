import { deleteExpired } from '../../../db/expired-rows.ts';
import type { Core, Domain } from '../../domain.ts';
import { CodeMailLimits, MailLimits } from './mail-limits.ts';
import { MailedTickets } from './mailed-tickets.ts';
import { Notices } from './notices.ts';
import { mailedTicketTables } from './tables.ts';

export { type CodeMailLimits, MailLimits } from './mail-limits.ts';
export { CODE_MINUTES, MailedCodes } from './mailed-codes.ts';
export type { MailedTickets } from './mailed-tickets.ts';
export type { Notices } from './notices.ts';

const TICKET_MAIL_WINDOW_S = 10 * 60;

/** Mails of identity: codes that confirm an act, and notices of acts that are done. */
export function createMailedCodes(core: Core) {
  const notices = new Notices(core);
  const ticketMailLimits = new MailLimits(core.limitStore, { 'ticket-address': 1 }, TICKET_MAIL_WINDOW_S);
  const tickets = new MailedTickets({ ...core, notices, ticketMailLimits });
  const domain: Domain = {
    tables: mailedTicketTables,
    // Tickets that have expired are refused anyway; this frees their rows.
    sweeps: [
      {
        name: 'mailed tickets',
        run: (stopping) => deleteExpired(core, { table: 'mailed_tickets' }, stopping),
      },
    ],
    stop: () => notices.stop(),
  };
  return { notices, tickets, codeMailLimits: new CodeMailLimits(core.limitStore, core.secrets), domain };
}
