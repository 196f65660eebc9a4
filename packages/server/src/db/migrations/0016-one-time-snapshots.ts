import { type Kysely, sql } from 'kysely';

/** Live answers of rows that were published as one-time before such a publish made them snapshots. */
export function oneTimeSnapshots() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await sql`
        update slot_values set live = 0, field_version = null, registration = null
        where live = 1 and request_field_id in (select id from request_fields where one_time = 1)
      `.execute(db);
    },
  };
}
