import { type Kysely, sql } from 'kysely';
import type { Step } from './index.ts';

/** Whether the events of a webhook are held. An older process would send them. */
export const webhookPause: Step = {
  async up(db: Kysely<unknown>) {
    await sql`alter table webhooks add column paused integer not null default 0`.execute(db);
  },
};
