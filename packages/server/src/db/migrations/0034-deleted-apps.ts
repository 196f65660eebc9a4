import type { Kysely } from 'kysely';

/** Sign-in apps that were deleted, until what people chose for them is deleted as well. */
export function deletedApps() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('deleted_oauth_apps')
        .addColumn('company_id', 'text', (built) => built.notNull())
        .addColumn('client_id', 'text', (built) => built.notNull())
        .addColumn('deleted_at', 'bigint', (built) => built.notNull())
        .addPrimaryKeyConstraint('deleted_oauth_apps_pk', ['company_id', 'client_id'])
        .execute();
      for (const table of ['claim_choices', 'sign_in_log'])
        await db.schema.createIndex(`${table}_app`).on(table).column('client_id').execute();
    },
  };
}
