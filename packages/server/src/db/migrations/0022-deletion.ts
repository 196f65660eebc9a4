import type { Kysely } from 'kysely';

/** Deleting a company finds its rows by an index in every table. */
export function deletion() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createIndex('departed_sessions_company')
        .on('departed_sessions')
        .column('company_id')
        .execute();
    },
  };
}
