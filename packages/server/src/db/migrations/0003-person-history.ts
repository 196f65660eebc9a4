import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What happened at the accounts of people, and when they were last seen to have their recovery code. */
export const personHistory: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table person_history (
        person_id text not null, id text not null,
        kind text not null, user_agent text not null, at bigint not null,
        constraint person_history_pk primary key (person_id, id)
      )`.execute(db);
    await sql`create index person_history_at on person_history (at)`.execute(db);
    await sql`
      create table person_recovery (
        person_id text not null primary key, made_at bigint not null, confirmed_at bigint
      )`.execute(db);
  },
};
