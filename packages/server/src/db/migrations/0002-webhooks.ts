import type { Kysely } from 'kysely';
import type { Engine } from '../database.ts';

/** Webhooks and their queues. */
export function webhooks(engine: Engine) {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('webhooks')
        .addColumn('company_id', 'text', (column) => column.notNull())
        .addColumn('service_id', 'text', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('url', 'text', (column) => column.notNull())
        .addColumn('events', 'text', (column) => column.notNull())
        .addColumn('format', 'text', (column) => column.notNull())
        .addColumn('auth_type', 'text', (column) => column.notNull())
        .addColumn('secrets', 'text', (column) => column.notNull())
        .addColumn('encrypt_payload', 'bigint', (column) => column.notNull())
        .addColumn('enabled', 'bigint', (column) => column.notNull())
        .addColumn('health', 'text', (column) => column.notNull())
        .addColumn('health_changed_at', 'bigint', (column) => column.notNull())
        .addColumn('probe_at', 'bigint')
        .addColumn('parked_through', 'bigint', (column) => column.notNull())
        .addColumn('version', 'bigint', (column) => column.notNull())
        .addColumn('alerted_at', 'bigint')
        .addColumn('lease_owner', 'text')
        .addColumn('lease_until', 'bigint')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('webhooks_pk', ['company_id', 'service_id', 'id'])
        .addUniqueConstraint('webhooks_id', ['id'])
        .execute();
      await db.schema.createIndex('webhooks_service').on('webhooks').columns(['service_id', 'id']).execute();

      const queue = db.schema.createTable('webhook_events');
      await (engine === 'sqlite'
        ? queue.addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
        : queue.addColumn('seq', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity())
      )
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('company_id', 'text', (column) => column.notNull())
        .addColumn('service_id', 'text', (column) => column.notNull())
        .addColumn('webhook_id', 'text', (column) => column.notNull())
        .addColumn('connection_id', 'text')
        .addColumn('customer_id', 'text', (column) => column.notNull())
        .addColumn('customer_type', 'text', (column) => column.notNull())
        .addColumn('share_code', 'text')
        .addColumn('event', 'text', (column) => column.notNull())
        .addColumn('request_field_id', 'text')
        .addColumn('slug', 'text')
        .addColumn('payload', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('webhook_events_queue')
        .on('webhook_events')
        .columns(['webhook_id', 'seq'])
        .execute();
    },
  };
}
