import type { Writer } from '../../../db/database.ts';
import type { EventTicketRow } from './tables.ts';

export async function insertTicket(writer: Writer, row: EventTicketRow): Promise<void> {
  await writer.insertInto('event_tickets').values(row).execute();
}

/** Deletes all tickets of a person but the newest ones. */
export async function keepNewestTickets(writer: Writer, personId: string, most: number): Promise<void> {
  const kept = writer
    .selectFrom('event_tickets')
    .select('ticket_hash')
    .where('person_id', '=', personId)
    .orderBy('expires_at', 'desc')
    .orderBy('ticket_hash')
    .limit(most);
  await writer
    .deleteFrom('event_tickets')
    .where('person_id', '=', personId)
    .where('ticket_hash', 'not in', kept)
    .execute();
}

/** Takes a ticket, which can be taken once. */
export async function takeTicket(writer: Writer, hash: string): Promise<EventTicketRow | undefined> {
  return writer.deleteFrom('event_tickets').where('ticket_hash', '=', hash).returningAll().executeTakeFirst();
}
