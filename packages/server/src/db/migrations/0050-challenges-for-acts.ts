import type { Kysely } from 'kysely';

/** A challenge that was approved by two factors proves one act on a document, once. */
export function challengesForActs() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.alterTable('two_factor_challenges').addColumn('approved_by', 'text').execute();
      await db.schema.alterTable('two_factor_challenges').addColumn('spent_at', 'bigint').execute();
    },
  };
}
