import type { Kysely } from 'kysely';

/** People who deleted their accounts, until everything of them is gone. */
export function personDeletions() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.alterTable('persons').addColumn('deleted_at', 'bigint').execute();
      await db.schema
        .createTable('person_deletions')
        .addColumn('person_id', 'text', (built) => built.notNull())
        .addColumn('email', 'text')
        .addColumn('deleted_at', 'bigint', (built) => built.notNull())
        .addColumn('run_at', 'bigint', (built) => built.notNull())
        .addPrimaryKeyConstraint('person_deletions_pk', ['person_id'])
        .execute();
      await db.schema.createIndex('person_deletions_due').on('person_deletions').column('run_at').execute();
    },
  };
}
