import { type Kysely, sql } from 'kysely';
import type { Step } from './index.ts';

/** What the staff of a company has begun to write, and the texts that it sends again and again. */
export const writing: Step = {
  besideOlder: true,
  async up(db: Kysely<unknown>) {
    await sql`
      create table login_drafts (
        company_id text not null, login_id text not null, name text not null,
        value text not null, updated_at bigint not null, expires_at bigint not null,
        constraint login_drafts_pk primary key (company_id, login_id, name)
      )`.execute(db);
    await sql`create index login_drafts_expiry on login_drafts (expires_at)`.execute(db);
    await sql`
      create table reply_templates (
        company_id text not null, service_id text not null, id text not null,
        name text not null, body text not null, updated_at bigint not null,
        constraint reply_templates_pk primary key (company_id, service_id, id)
      )`.execute(db);
  },
};
