import type { Kysely } from 'kysely';

/** Files that wait for the act that names them are of companies too: whose they are is any customer. */
export function uploadsOfCompanies() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.dropIndex('file_uploads_person').execute();
      await db.schema.alterTable('file_uploads').renameColumn('person_id', 'customer_id').execute();
      await db.schema.createIndex('file_uploads_customer').on('file_uploads').column('customer_id').execute();
    },
  };
}
