import { type Kysely, sql } from 'kysely';

/** Whom a verified identity document names, documents that a provider is looking at, and files by their blobs. */
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
      // The files of a company by their blobs: a region that a company moves to asks for them one by one.
      for (const table of ['slot_values', 'document_files']) {
        await sql
          .raw(
            `create index ${table}_blobs on ${table} (company_id, substr(value, 62, 64))
             where substr(value, 1, 9) = '{"file":{'`,
          )
          .execute(db);
      }
    },
  };
}
