import { type Kysely, sql } from 'kysely';
import type { Step } from './index.ts';

/**
 * How far other regions have applied what was sent to them, beside the messages themselves: these stay for a while. An older process beside
 * it sends those that stay again, which the other region skips, and deletes them.
 */
export const regionLanes: Step = {
  besideOlder: true,
  async up(db: Kysely<unknown>) {
    await sql`
      create table region_lanes (
        to_region text not null, lane bigint not null, arrived bigint not null, deleted bigint not null,
        constraint region_lanes_pk primary key (to_region, lane)
      )`.execute(db);
  },
};
