import { type Kysely, sql } from 'kysely';

/** Messages, broadcasts, and requests to connect. */
export function conversation() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await messageTables(db);
      await broadcastTables(db);
      await requestTables(db);
    },
  };
}

async function messageTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('message_threads')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('connection_id', 'text', (built) => built.notNull())
    .addColumn('last_id', 'text', (built) => built.notNull())
    .addColumn('message_count', 'integer', (built) => built.notNull())
    .addPrimaryKeyConstraint('message_threads_pk', ['company_id', 'connection_id'])
    .execute();
  await db.schema
    .createTable('messages')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('connection_id', 'text', (built) => built.notNull())
    .addColumn('id', 'text', (built) => built.notNull())
    .addColumn('sender', 'text', (built) => built.notNull())
    .addColumn('service_body', 'text', (built) => built.notNull())
    .addColumn('customer_body', 'text', (built) => built.notNull())
    .addColumn('created_at', 'bigint', (built) => built.notNull())
    .addColumn('read_at', 'bigint')
    .addPrimaryKeyConstraint('messages_pk', ['company_id', 'connection_id', 'id'])
    .execute();
  await db.schema
    .createIndex('messages_unread')
    .on('messages')
    .columns(['connection_id', 'sender', 'id'])
    .where(sql.ref('read_at'), 'is', null)
    .execute();
  await db.schema
    .createTable('messaging_suspensions')
    .addColumn('company_id', 'text', (built) => built.primaryKey())
    .addColumn('messages', 'integer', (built) => built.notNull())
    .addColumn('broadcasts', 'integer', (built) => built.notNull())
    .execute();
}

async function broadcastTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('broadcasts')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('service_id', 'text', (built) => built.notNull())
    .addColumn('id', 'text', (built) => built.notNull())
    .addColumn('body', 'text', (built) => built.notNull())
    .addColumn('created_at', 'bigint', (built) => built.notNull())
    .addColumn('expires_at', 'bigint', (built) => built.notNull())
    .addPrimaryKeyConstraint('broadcasts_pk', ['company_id', 'service_id', 'id'])
    .execute();
  await db.schema.createIndex('broadcasts_expiry').on('broadcasts').column('expires_at').execute();
  await db.schema
    .createTable('broadcast_reads')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('connection_id', 'text', (built) => built.notNull())
    .addColumn('broadcast_id', 'text', (built) => built.notNull())
    .addColumn('read_at', 'bigint', (built) => built.notNull())
    .addColumn('expires_at', 'bigint', (built) => built.notNull())
    .addPrimaryKeyConstraint('broadcast_reads_pk', ['company_id', 'connection_id', 'broadcast_id'])
    .execute();
  await db.schema.createIndex('broadcast_reads_expiry').on('broadcast_reads').column('expires_at').execute();
}

async function requestTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('connect_requests')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('service_id', 'text', (built) => built.notNull())
    .addColumn('id', 'text', (built) => built.notNull())
    .addColumn('person_id', 'text', (built) => built.notNull())
    .addColumn('state', 'text', (built) => built.notNull())
    .addColumn('created_at', 'bigint', (built) => built.notNull())
    .addColumn('expires_at', 'bigint', (built) => built.notNull())
    .addPrimaryKeyConstraint('connect_requests_pk', ['company_id', 'service_id', 'id'])
    .execute();
  await db.schema.createIndex('connect_requests_id').unique().on('connect_requests').column('id').execute();
  await db.schema
    .createIndex('connect_requests_person')
    .on('connect_requests')
    .columns(['person_id', 'service_id', 'id'])
    .execute();
  await db.schema
    .createIndex('connect_requests_expiry')
    .on('connect_requests')
    .column('expires_at')
    .where(sql.ref('state'), '=', sql.lit('open'))
    .execute();
  await db.schema
    .createTable('blocked_services')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('service_id', 'text', (built) => built.notNull())
    .addColumn('person_id', 'text', (built) => built.notNull())
    .addColumn('created_at', 'bigint', (built) => built.notNull())
    .addPrimaryKeyConstraint('blocked_services_pk', ['company_id', 'service_id', 'person_id'])
    .execute();
  await db.schema
    .createIndex('blocked_services_person')
    .on('blocked_services')
    .columns(['person_id', 'service_id'])
    .execute();
}
