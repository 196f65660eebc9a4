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
        .addPrimaryKeyConstraint('flow_run_steps_pk', ['company_id', 'service_id', 'run_id', 'place'])
        .execute();
    },
  };
}
