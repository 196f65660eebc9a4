import { type Kysely, sql } from 'kysely';
import type { Step } from './index.ts';

/** The processes that share the database, each of which writes of itself. */
export const processes: Step = {
  besideOlder: true,
  async up(db: Kysely<unknown>) {
    await sql`
      create table processes (
        id text not null,
        instance text not null, host text not null, pid integer not null, roles text not null,
        version text not null, region text not null,
        started_at bigint not null, seen_at bigint not null, figures text not null,
        constraint processes_pk primary key (id)
      )`.execute(db);
    await sql`create index processes_seen on processes (seen_at)`.execute(db);
  },
};
