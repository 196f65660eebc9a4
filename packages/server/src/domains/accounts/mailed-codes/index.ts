import { type Core, type Domain, expirySweep } from '../../domain.ts';
import { CodeMailLimits, MailLimits } from './mail-limits.ts';
import { MailedTickets } from './mailed-tickets.ts';
import { Notices } from './notices.ts';
import { mailedTicketTables } from './tables.ts';

const TICKET_MAIL_WINDOW_S = 10 * 60;

/** Mails of identity: codes that confirm an act, and notices of acts that are done. */
export function createMailedCodes(core: Core) {
  const notices = new Notices(core);
  const ticketMailLimits = new MailLimits(core.limitStore, { 'ticket-address': 1 }, TICKET_MAIL_WINDOW_S);
  const tickets = new MailedTickets({ ...core, notices, ticketMailLimits });
  const domain: Domain = {
    tables: mailedTicketTables,
    sweeps: [expirySweep(core, 'mailed tickets', 'mailed_tickets')],
    stop: () => notices.stop(),
  };
  return { notices, tickets, codeMailLimits: new CodeMailLimits(core.limitStore, core.secrets), domain };
}
