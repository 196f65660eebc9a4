import { type Kysely, sql } from 'kysely';
import type { Step } from './index.ts';

/** When clients last obtained a token. Of those that are there already nothing is known. */
export const clientUses: Step = {
  besideOlder: true,
  async up(db: Kysely<unknown>) {
    await sql`
      create table client_uses (
        client_id text not null, company_id text not null, last_used_at bigint,
        constraint client_uses_pk primary key (client_id)
      )`.execute(db);
    await sql`create index client_uses_company on client_uses (company_id)`.execute(db);
  },
};
