import { type Kysely, sql } from 'kysely';
import type { Step } from './index.ts';

/** What became of the latest POSTs of each webhook, some of them in a row. */
export const webhookAttempts: Step = {
  besideOlder: true,
  async up(db: Kysely<unknown>) {
    await sql`
      create table webhook_attempts (
        company_id text not null, webhook_id text not null, id text not null,
        size bigint not null, attempts text not null,
        constraint webhook_attempts_pk primary key (company_id, webhook_id, id)
      )`.execute(db);
  },
};
