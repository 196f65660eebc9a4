import type { Kysely } from 'kysely';

/** Tickets for the event streams of people's devices, and where push messages to them go. */
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

      await db.schema
        .createTable('push_keys')
        .addColumn('id', 'text', (built) => built.primaryKey())
        .addColumn('public_key', 'text', (built) => built.notNull())
        .addColumn('private_key', 'text', (built) => built.notNull())
        .addColumn('created_at', 'bigint', (built) => built.notNull())
        .execute();
      await db.schema
        .createTable('push_subscriptions')
        .addColumn('id', 'text', (built) => built.primaryKey())
        .addColumn('person_id', 'text', (built) =>
          built.notNull().references('persons.id').onDelete('cascade'),
        )
        .addColumn('endpoint_hash', 'text', (built) => built.notNull().unique())
        .addColumn('subscription', 'text', (built) => built.notNull())
        .addColumn('epoch', 'bigint', (built) => built.notNull())
        .addColumn('session_id', 'text')
        .addColumn('name', 'text', (built) => built.notNull())
        .addColumn('created_at', 'bigint', (built) => built.notNull())
        .execute();
      await db.schema
        .createIndex('push_subscriptions_of_person')
        .on('push_subscriptions')
        .columns(['person_id', 'created_at', 'id'])
        .execute();
    },
  };
}
