import type { Kysely } from 'kysely';

/**
 * Which version of a field's value a slot in another region has, so that its person can be told of former values. Unknown for
 * slots that were registered before.
 */
export function formerValues() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.alterTable('remote_slots').addColumn('field_version', 'bigint').execute();
    },
  };
}
