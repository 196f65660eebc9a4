import { type Kysely, sql } from 'kysely';
import type { Step } from './index.ts';

/** The person's epoch when they approved a sign-in: codes and tokens of an older one have ended. */
export const signInEpoch: Step = {
  besideOlder: true,
  async up(db: Kysely<unknown>) {
    await sql`alter table sign_ins add column person_epoch integer`.execute(db);
  },
};
