import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Engine } from '../database.ts';

/** Which client was given an event, and in which answer: any process can then take the client's word for it. */
export function drains(engine: Engine) {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const add = async (table: string, column: string, type: 'text' | 'bigint') =>
        db.schema.alterTable(table).addColumn(column, type).execute();
      await add('webhook_events', 'claim_owner', 'text');
      await add('webhook_events', 'claimed_until', 'bigint');
      for (const [table, queue] of [
        ['changes', 'feed'],
        ['webhook_events', 'webhook_id'],
      ] as const) {
        await add(table, 'given_to', 'text');
        await add(table, 'given_in', 'bigint');
        // SQLite has one process, which keeps all of this in memory.
        if (engine === 'sqlite') continue;
        await db.schema
          .createIndex(`${table}_given`)
          .on(table)
          .columns([queue, 'given_to'])
          .where(sql.ref('given_to'), 'is not', null)
          .execute();
      }
      if (engine === 'postgres') await sql`create sequence drain_answers`.execute(db);
    },
  };
}
