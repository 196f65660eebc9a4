import type { Kysely } from 'kysely';

/** Whom a verified identity document names, and documents that a provider is looking at. */
export function identityChecks() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.alterTable('person_fields').addColumn('verified_name', 'text').execute();
      await db.schema
        .createTable('identity_checks')
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('person_id', 'text', (column) => column.notNull())
        .addColumn('field_id', 'text', (column) => column.notNull())
        .addColumn('field_version', 'bigint', (column) => column.notNull())
        .addColumn('provider', 'text', (column) => column.notNull())
        .addColumn('verified_salt', 'text', (column) => column.notNull())
        .addColumn('verified_hash', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('reason', 'text')
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('identity_checks_pk', ['id'])
        .addUniqueConstraint('identity_checks_field', ['person_id', 'field_id'])
        .execute();
      await db.schema
        .createIndex('identity_checks_expires')
        .on('identity_checks')
        .column('expires_at')
        .execute();
    },
  };
}
