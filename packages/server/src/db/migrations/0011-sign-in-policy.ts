import { type Kysely, sql } from 'kysely';
import type { Step } from './index.ts';

/** Whether each login of a company needs a second factor, and with what a session of the portal was opened. */
export const signInPolicy: Step = {
  async up(db: Kysely<unknown>) {
    await sql`alter table companies add column second_factor_required integer not null default 0`.execute(db);
    await sql`alter table portal_sessions add column factor text`.execute(db);
  },
};
