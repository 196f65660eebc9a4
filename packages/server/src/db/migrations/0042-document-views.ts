import type { Kysely } from 'kysely';

/** When the customer first opened a document: the seal says so. */
export function documentViews() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.alterTable('documents').addColumn('viewed_at', 'bigint').execute();
    },
  };
}
