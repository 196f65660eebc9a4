import type { Kysely } from 'kysely';

/** Tickets for the event streams of people's devices. */
export function personDevices() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('event_tickets')
        .addColumn('ticket_hash', 'text', (built) => built.primaryKey())
        .addColumn('person_id', 'text', (built) =>
          built.notNull().references('persons.id').onDelete('cascade'),
        )
        .addColumn('claims', 'text', (built) => built.notNull())
        .addColumn('expires_at', 'bigint', (built) => built.notNull())
        .execute();
      await db.schema
        .createIndex('event_tickets_of_person')
        .on('event_tickets')
        .columns(['person_id', 'expires_at'])
        .execute();
      await db.schema.createIndex('event_tickets_expired').on('event_tickets').column('expires_at').execute();
    },
  };
}
