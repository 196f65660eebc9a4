import type { Kysely } from 'kysely';

/** Whether request rows of services in other regions are mandatory now, in one row each instead of one for every slot. */
export function remoteRequestRows() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('remote_request_rows')
        .addColumn('company_id', 'text', (built) => built.notNull())
        .addColumn('request_field_id', 'text', (built) => built.notNull())
        .addColumn('mandatory', 'bigint', (built) => built.notNull())
        .addPrimaryKeyConstraint('remote_request_rows_pk', ['company_id', 'request_field_id'])
        .execute();
      // Which of these have slots is asked for each.
      await db.schema.dropIndex('remote_slots_company').execute();
      await db.schema
        .createIndex('remote_slots_request_row')
        .on('remote_slots')
        .columns(['company_id', 'request_field_id'])
        .execute();
    },
  };
}
