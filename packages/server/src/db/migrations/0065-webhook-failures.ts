import type { Kysely } from 'kysely';

/** Why the last delivery of a webhook that failed did. */
export function webhookFailures() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.alterTable('webhooks').addColumn('last_failure', 'text').execute();
    },
  };
}
