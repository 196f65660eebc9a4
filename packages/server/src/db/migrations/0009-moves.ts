import { type Kysely, sql } from 'kysely';
import type { Engine } from '../database.ts';
import { FROZEN_CODE, FROZEN_TEXT } from '../paused-writes.ts';

/** Companies that move to another region: the tables of the source and of the destination. */
export function moves(engine: Engine) {
  return {
    // Long, because it lists tables and columns one after the other.
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('company_moves')
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('company_id', 'text', (column) => column.notNull())
        .addColumn('to_region', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('asked_by', 'text', (column) => column.notNull())
        .addColumn('reason', 'text')
        .addColumn('attempts', 'bigint', (column) => column.notNull())
        .addColumn('retry_at', 'bigint')
        .addColumn('held_at', 'bigint')
        .addColumn('held_ms', 'bigint')
        .addColumn('undo_wanted', 'bigint', (column) => column.notNull())
        .addColumn('lifted', 'bigint', (column) => column.notNull())
        .addColumn('rows_copied', 'bigint', (column) => column.notNull())
        .addColumn('worker', 'text')
        .addColumn('worker_until', 'bigint')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        .addColumn('switched_at', 'bigint')
        .addColumn('finished_at', 'bigint')
        .addPrimaryKeyConstraint('company_moves_pk', ['id'])
        .execute();
      await db.schema
        .createIndex('company_moves_company')
        .on('company_moves')
        .columns(['company_id', 'created_at'])
        .execute();
      // One at a time.
      await db.schema
        .createIndex('company_moves_under_way')
        .unique()
        .on('company_moves')
        .column('company_id')
        .where(sql.ref('finished_at'), 'is', null)
        .execute();

      await db.schema
        .createTable('company_move_chunks')
        .addColumn('move_id', 'text', (column) => column.notNull())
        .addColumn('table_name', 'text', (column) => column.notNull())
        .addColumn('chunk', 'bigint', (column) => column.notNull())
        .addColumn('part', 'text', (column) => column.notNull())
        .addColumn('upto', 'text', (column) => column.notNull())
        .addColumn('rows', 'bigint', (column) => column.notNull())
        .addColumn('sha256', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('company_move_chunks_pk', ['move_id', 'table_name', 'chunk'])
        .execute();

      await db.schema
        .createTable('company_arrivals')
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('company_id', 'text', (column) => column.notNull())
        .addColumn('from_region', 'text', (column) => column.notNull())
        .addColumn('state', 'text', (column) => column.notNull())
        .addColumn('attempt', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('company_arrivals_pk', ['id'])
        .execute();
      await db.schema
        .createIndex('company_arrivals_company')
        .on('company_arrivals')
        .columns(['company_id', 'created_at'])
        .execute();

      await db.schema
        .createTable('company_arrival_chunks')
        .addColumn('move_id', 'text', (column) => column.notNull())
        .addColumn('table_name', 'text', (column) => column.notNull())
        .addColumn('chunk', 'bigint', (column) => column.notNull())
        .addColumn('content', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('company_arrival_chunks_pk', ['move_id', 'table_name', 'chunk'])
        .execute();

      await db.schema
        .createTable('departed_sessions')
        .addColumn('token_hash', 'text', (column) => column.notNull())
        .addColumn('company_id', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('departed_sessions_pk', ['token_hash'])
        .execute();
      await db.schema
        .createIndex('departed_sessions_expiry')
        .on('departed_sessions')
        .column('expires_at')
        .execute();

      if (engine === 'postgres') await holdFunction(db);
    },
  };
}

/**
 * The function of the triggers that freeze a company. It refuses writes while the row of the move has `lifted = 0`, so a
 * trigger that could not be dropped yet refuses nothing. `hold` is an older word for freeze.
 */
async function holdFunction(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function hold_company() returns trigger language plpgsql as ${sql.lit(`
      begin
        if not exists (select 1 from company_moves where id = tg_argv[0] and lifted = 0) then
          if tg_op = 'DELETE' then return old; end if;
          return new;
        end if;
        raise exception '${FROZEN_TEXT}' using errcode = '${FROZEN_CODE}';
      end
    `)}
  `.execute(db);
}
