import type { Kysely } from 'kysely';

/** The certificate that a platform makes itself, and which mails went out about one that expires. */
export function sealCertificates() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('seal_chains')
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('private_key', 'text', (column) => column.notNull())
        .addColumn('certificate', 'text', (column) => column.notNull())
        .addColumn('root', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('seal_chains_pk', ['id'])
        .execute();
      await db.schema
        .createTable('seal_expiry_notices')
        .addColumn('certificate_sha256', 'text', (column) => column.notNull())
        .addColumn('days', 'integer', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('seal_expiry_notices_pk', ['certificate_sha256', 'days'])
        .execute();
    },
  };
}
