import type { Kysely } from 'kysely';

/** What the company calls a run, for example the number of an order. */
export function referencesOfRuns() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.alterTable('flow_runs').addColumn('reference', 'text').execute();
    },
  };
}
