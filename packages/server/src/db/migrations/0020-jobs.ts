import { type Kysely, sql } from 'kysely';

/** Work that an act leaves to a worker, and what of it had to be told before its turn. */
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
        .createIndex('jobs_unfinished_of_service')
        .on('jobs')
        .columns(['service_id', 'position'])
        .where(sql.ref('finished_at'), 'is', null)
        .execute();
      await db.schema
        .createIndex('jobs_finished')
        .on('jobs')
        .columns(['finished_at'])
        .where(sql.ref('finished_at'), 'is not', null)
        .execute();

      await db.schema
        .createTable('early_tellings')
        .addColumn('company_id', 'text', (built) => built.notNull())
        .addColumn('job_id', 'text', (built) => built.notNull())
        .addColumn('connection_id', 'text', (built) => built.notNull())
        .addPrimaryKeyConstraint('early_tellings_pk', ['company_id', 'job_id', 'connection_id'])
        .execute();
      // The companies among the customers of a service are read in the order of their ids.
      await db.schema.dropIndex('connections_of_companies').execute();
      await db.schema
        .createIndex('connections_of_companies')
        .on('connections')
        .columns(['service_id', 'id'])
        .where(sql.ref('customer_type'), '=', sql.lit('company'))
        .execute();
    },
  };
}
