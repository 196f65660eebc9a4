import { type Kysely, sql } from 'kysely';
import type { Step } from './index.ts';

/** Why a service asks a question, as people read it. A publish by an older process leaves it as it is. */
export const requestReason: Step = {
  besideOlder: true,
  async up(db: Kysely<unknown>) {
    await sql`alter table request_fields add column reason text`.execute(db);
  },
};
