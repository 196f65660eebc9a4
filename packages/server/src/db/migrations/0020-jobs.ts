import { type Kysely, sql } from 'kysely';

/** Work that an act leaves to a worker. */
export function jobs() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('jobs')
        .addColumn('company_id', 'text', (built) => built.notNull())
        .addColumn('id', 'text', (built) => built.notNull())
        .addColumn('service_id', 'text', (built) => built.notNull())
        .addColumn('kind', 'text', (built) => built.notNull())
        .addColumn('state', 'text', (built) => built.notNull())
        .addColumn('position', 'bigint', (built) => built.notNull())
        .addColumn('turn', 'bigint', (built) => built.notNull())
        .addColumn('done', 'bigint', (built) => built.notNull())
        .addColumn('total', 'bigint')
        .addColumn('failures', 'integer', (built) => built.notNull())
        .addColumn('problem', 'text')
        .addColumn('created_at', 'bigint', (built) => built.notNull())
        .addColumn('updated_at', 'bigint', (built) => built.notNull())
        .addColumn('stepped_at', 'bigint')
        .addColumn('finished_at', 'bigint')
        .addPrimaryKeyConstraint('jobs_pk', ['company_id', 'id'])
        .execute();
      await db.schema
        .createIndex('jobs_of_service')
        .unique()
        .on('jobs')
        .columns(['company_id', 'service_id', 'position'])
        .execute();
      await db.schema
        .createIndex('jobs_unfinished')
        .on('jobs')
        .columns(['turn', 'id'])
        .where(sql.ref('finished_at'), 'is', null)
        .execute();
      await db.schema
        .createIndex('jobs_finished')
        .on('jobs')
        .columns(['finished_at'])
        .where(sql.ref('finished_at'), 'is not', null)
        .execute();
    },
  };
}
