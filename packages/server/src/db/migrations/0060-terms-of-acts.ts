import type { Kysely } from 'kysely';

/** What the name, description and metadata of a document were when its customer acted, where the company changed them since. */
export function termsOfActs() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.alterTable('documents').addColumn('acted_terms', 'text').execute();
    },
  };
}
