import type { Kysely } from 'kysely';

/** Plugins of companies, and request rows that they answer. */
export function plugins() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('plugins')
        .addColumn('company_id', 'text', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('builtin_key', 'text')
        .addColumn('base_url', 'text')
        .addColumn('name', 'text')
        .addColumn('token', 'text')
        .addColumn('private_key', 'text')
        .addColumn('public_key', 'text')
        .addColumn('field_types', 'text', (column) => column.notNull())
        .addColumn('described_at', 'bigint')
        .addColumn('last_error', 'text')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('plugins_pk', ['company_id', 'id'])
        .addUniqueConstraint('plugins_base_url', ['company_id', 'base_url'])
        .addUniqueConstraint('plugins_builtin_key', ['company_id', 'builtin_key'])
        .execute();
      // One column at a time: SQLite adds no more.
      await db.schema.alterTable('request_fields').addColumn('plugin_id', 'text').execute();
      await db.schema.alterTable('request_fields').addColumn('plugin', 'text').execute();
    },
  };
}
