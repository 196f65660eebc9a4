import type { Kysely } from 'kysely';

/** The newest keys of services in other regions, in one row each instead of one for every slot. */
export function remoteServiceKeys() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('remote_service_keys')
        .addColumn('company_id', 'text', (built) => built.notNull())
        .addColumn('service_id', 'text', (built) => built.notNull())
        .addColumn('public_key', 'text', (built) => built.notNull())
        .addPrimaryKeyConstraint('remote_service_keys_pk', ['company_id', 'service_id'])
        .execute();
    },
  };
}
