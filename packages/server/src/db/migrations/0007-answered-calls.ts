import { type Kysely, sql } from 'kysely';
import type { Engine } from '../database.ts';
import type { Step } from './index.ts';

/** Until when calls of each other region may have been answered, by its clock. On PostgreSQL the calls themselves are in a table. */
export const answeredCalls = (engine: Engine): Step => ({
  besideOlder: true,
  async up(db: Kysely<unknown>) {
    if (engine === 'postgres') return;
    await sql`create table answered_calls (peer text primary key, until bigint not null)`.execute(db);
  },
});
