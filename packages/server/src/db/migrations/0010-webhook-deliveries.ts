import type { Kysely } from 'kysely';
import type { Engine } from '../database.ts';

/** Where the embedded database notes delivered webhook events before it removes them. */
export function webhookDeliveries(engine: Engine) {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      if (engine === 'postgres') return;
      await db.schema
        .createTable('webhook_delivered')
        .addColumn('seq', 'integer', (column) => column.primaryKey())
        .execute();
    },
  };
}
