import { type Kysely, sql } from 'kysely';
import type { Step } from './index.ts';

/** Which threads of a service staff has to look at, and who of the staff does. */
export const inbox: Step = {
  async up(db: Kysely<unknown>) {
    for (const column of [
      `service_id text not null default ''`,
      'assigned_to text',
      'is_open integer not null default 0',
    ])
      await sql`alter table message_threads add column ${sql.raw(column)}`.execute(db);
    await sql`
      update message_threads set
        service_id = coalesce(
          (select connections.service_id from connections where connections.id = message_threads.connection_id), ''),
        is_open = case when exists (
          select 1 from messages where messages.connection_id = message_threads.connection_id
          and messages.sender = 'customer' and messages.read_at is null) then 1 else 0 end`.execute(db);
    await sql`
      create index message_threads_inbox on message_threads (service_id, is_open, last_id)`.execute(db);
    await sql`
      create index message_threads_assigned on message_threads (assigned_to, is_open, last_id)
      where assigned_to is not null`.execute(db);
  },
};
