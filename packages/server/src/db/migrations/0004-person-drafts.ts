import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** What people have begun to write and not sent yet, sealed to themselves. */
export const personDrafts: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`
      create table person_drafts (
        person_id text not null, name text not null,
        value text not null, updated_at bigint not null, expires_at bigint not null,
        constraint person_drafts_pk primary key (person_id, name)
      )`.execute(db);
    await sql`create index person_drafts_expiry on person_drafts (expires_at)`.execute(db);
  },
};
