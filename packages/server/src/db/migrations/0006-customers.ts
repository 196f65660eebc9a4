import { type Kysely, sql } from 'kysely';

/** Companies as customers: their account feed beside the feeds of services, their connections, former service keys. */
export function customers() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      // A feed is known by its owner's id: a service's, or a company's whose account feed it is.
      await db.schema
        .alterTable('changes')
        .addColumn('feed', 'text', (column) => column.notNull().defaultTo(''))
        .execute();
      await sql`update changes set feed = service_id`.execute(db);
      await db.schema.dropIndex('changes_feed').execute();
      await db.schema.dropIndex('changes_collapse').execute();
      await db.schema.createIndex('changes_feed').on('changes').columns(['feed', 'seq']).execute();
      await db.schema
        .createIndex('changes_collapse')
        .on('changes')
        .columns(['feed', 'collapse_key'])
        .execute();

      await db.schema.alterTable('connections').addColumn('group_id', 'text').execute();
      // Among many people there are few companies.
      await db.schema
        .createIndex('connections_of_companies')
        .on('connections')
        .column('service_id')
        .where(sql.ref('customer_type'), '=', sql.lit('company'))
        .execute();

      await db.schema
        .createTable('service_former_keys')
        .addColumn('company_id', 'text', (column) => column.notNull())
        .addColumn('service_id', 'text', (column) => column.notNull())
        .addColumn('public_key_sha256', 'text', (column) => column.notNull())
        .addColumn('public_key', 'text', (column) => column.notNull())
        .addColumn('encrypted_private_key', 'text', (column) => column.notNull())
        .addColumn('private_key_pem', 'text')
        .addColumn('replaced_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('service_former_keys_pk', ['company_id', 'service_id', 'public_key_sha256'])
        .execute();
    },
  };
}
