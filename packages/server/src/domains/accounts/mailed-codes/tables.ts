import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    mailed_tickets: MailedTicketRow;
  }
}

/** An act that a code mailed to an address confirms, begun by a caller who is not signed in. */
export interface MailedTicketRow {
  ticket_hash: string;
  purpose: 'person' | 'portal' | 'reset';
  email: string;
  /** When no code was mailed: the hash of a random text, which no code matches. */
  code_hash: string;
  attempts: number;
  expires_at: number;
}

export const mailedTicketTables = defineTables({
  mailed_tickets: { key: ['ticket_hash'], hashed: ['ticket_hash', 'code_hash'] },
});
