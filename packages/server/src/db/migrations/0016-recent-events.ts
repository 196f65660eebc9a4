import { type Kysely, sql } from 'kysely';
import type { Step } from './index.ts';

/** The latest events of services that somebody watches. */
export const recentEvents: Step = {
  besideOlder: true,
  async up(db: Kysely<unknown>) {
    await sql`
      create table event_watches (
        company_id text not null, service_id text not null, expires_at bigint not null,
        constraint event_watches_pk primary key (service_id)
      )`.execute(db);
    await sql`create index event_watches_expiry on event_watches (expires_at)`.execute(db);
    await sql`create index event_watches_company on event_watches (company_id)`.execute(db);
    await sql`
      create table recent_events (
        company_id text not null, service_id text not null, id text not null,
        at bigint not null, event text not null, customer_id text not null, customer_type text not null,
        share_code text, connection_id text, slug text,
        constraint recent_events_pk primary key (company_id, service_id, id)
      )`.execute(db);
    await sql`create index recent_events_at on recent_events (at)`.execute(db);
  },
};
