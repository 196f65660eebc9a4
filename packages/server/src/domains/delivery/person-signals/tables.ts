import { defineTables } from '../../../db/table-registry.ts';

declare module '../../../db/tables.ts' {
  interface Tables {
    event_tickets: EventTicketRow;
  }
}

/** Opens one event stream, once, for who made it with an access token. */
export interface EventTicketRow {
  ticket_hash: string;
  person_id: string;
  /** JSON: what the access token said. */
  claims: string;
  expires_at: number;
}

export const eventTicketTables = defineTables({
  event_tickets: { key: ['ticket_hash'], belongsTo: { persons: 'person_id' }, hashed: ['ticket_hash'] },
});
