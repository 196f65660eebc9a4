import type { Kysely } from 'kysely';

/** What the operator holds: levels, codes, field types, settings of the region, the record of acts. */
export function operations() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      // Companies that were there before levels had everything.
      await db.schema
        .alterTable('companies')
        .addColumn('level', 'text', (column) => column.notNull().defaultTo('enterprise'))
        .execute();
      await db.schema
        .alterTable('share_codes')
        .addColumn('custom', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
      await db.schema
        .createIndex('share_codes_subject')
        .on('share_codes')
        .columns(['subject_id', 'custom'])
        .execute();

      await db.schema
        .createTable('region_settings')
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('value', 'text', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('region_settings_pk', ['name'])
        .execute();

      await db.schema
        .createTable('field_types')
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('row', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('field_types_pk', ['type'])
        .execute();

      await db.schema
        .createTable('operator_acts')
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('act', 'text', (column) => column.notNull())
        .addColumn('subject', 'text')
        .addColumn('details', 'text', (column) => column.notNull())
        .addColumn('source', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('operator_acts_pk', ['id'])
        .execute();
    },
  };
}
