import type { Kysely } from 'kysely';

/** When which step of a run was answered. */
export function flowRunSteps() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('flow_run_steps')
        .addColumn('company_id', 'text', (built) => built.notNull())
        .addColumn('service_id', 'text', (built) => built.notNull())
        .addColumn('run_id', 'text', (built) => built.notNull())
        .addColumn('place', 'integer', (built) => built.notNull())
        .addColumn('node', 'text', (built) => built.notNull())
        .addColumn('answered_at', 'bigint', (built) => built.notNull())
        .addPrimaryKeyConstraint('flow_run_steps_pk', ['company_id', 'service_id', 'place', 'run_id'])
        .execute();
      // The steps of a run in order, and those that a deleted service leaves.
      await db.schema
        .createIndex('flow_run_steps_run')
        .on('flow_run_steps')
        .columns(['company_id', 'service_id', 'run_id', 'place'])
        .execute();
    },
  };
}
