import { type Kysely, sql } from 'kysely';
import type { Engine } from '../database.ts';

/** Several regions: who is at home elsewhere, what regions tell each other, and the directory of the front door. */
export function regions(engine: Engine) {
  return {
    // Long, because it lists tables and columns one after the other.
    async up(db: Kysely<unknown>): Promise<void> {
      // Null: at home here. Else the row is what this region knows of somebody whose home is the region named.
      await db.schema.alterTable('companies').addColumn('region', 'text').execute();
      await db.schema
        .alterTable('companies')
        .addColumn('card_version', 'bigint', (column) => column.notNull().defaultTo(0))
        .execute();
      await db.schema.alterTable('persons').addColumn('region', 'text').execute();
      await db.schema
        .alterTable('person_fields')
        .addColumn('version', 'bigint', (column) => column.notNull().defaultTo(1))
        .execute();
      await db.schema.alterTable('slot_values').addColumn('field_version', 'bigint').execute();
      await db.schema.alterTable('slot_values').addColumn('registration', 'text').execute();

      await db.schema
        .createTable('remote_slots')
        .addColumn('person_id', 'text', (column) => column.notNull())
        .addColumn('field_id', 'text', (column) => column.notNull())
        .addColumn('registration', 'text', (column) => column.notNull())
        .addColumn('company_id', 'text', (column) => column.notNull())
        .addColumn('service_id', 'text', (column) => column.notNull())
        .addColumn('connection_id', 'text', (column) => column.notNull())
        .addColumn('request_field_id', 'text', (column) => column.notNull())
        .addColumn('slug', 'text', (column) => column.notNull())
        .addColumn('service_public_key', 'text', (column) => column.notNull())
        .addColumn('mandatory', 'bigint', (column) => column.notNull())
        .addColumn('registered_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('remote_slots_pk', ['person_id', 'registration'])
        .execute();
      await db.schema.createIndex('remote_slots_field').on('remote_slots').column('field_id').execute();
      await db.schema.createIndex('remote_slots_company').on('remote_slots').column('company_id').execute();
      await db.schema
        .createIndex('remote_slots_registered')
        .on('remote_slots')
        .column('registered_at')
        .execute();

      const messages = db.schema.createTable('region_messages');
      await (engine === 'sqlite'
        ? messages.addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
        : messages.addColumn('seq', 'bigint', (column) => column.primaryKey().generatedAlwaysAsIdentity())
      )
        .addColumn('to_region', 'text', (column) => column.notNull())
        .addColumn('lane', 'bigint', (column) => column.notNull())
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('subject', 'text', (column) => column.notNull())
        .addColumn('body', 'text', (column) => column.notNull())
        .addColumn('at', 'bigint', (column) => column.notNull())
        .execute();
      await db.schema
        .createIndex('region_messages_lane')
        .on('region_messages')
        .columns(['to_region', 'lane', 'seq'])
        .execute();
      await db.schema
        .createTable('region_marks')
        .addColumn('from_region', 'text', (column) => column.notNull())
        .addColumn('lane', 'bigint', (column) => column.notNull())
        .addColumn('seq', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('region_marks_pk', ['from_region', 'lane'])
        .execute();

      await db.schema
        .createTable('directory_owners')
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('region', 'text', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('directory_owners_pk', ['kind', 'id'])
        .execute();
      await db.schema
        .createTable('directory_names')
        .addColumn('kind', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('owner_kind', 'text', (column) => column.notNull())
        .addColumn('owner_id', 'text', (column) => column.notNull())
        .addColumn('confirmed', 'bigint', (column) => column.notNull())
        .addColumn('claimed_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('directory_names_pk', ['kind', 'name'])
        .execute();
      await db.schema
        .createIndex('directory_names_owner')
        .on('directory_names')
        .columns(['owner_kind', 'owner_id'])
        .execute();
      await db.schema
        .createIndex('directory_names_open')
        .on('directory_names')
        .column('claimed_at')
        .where(sql.ref('confirmed'), '=', sql.lit(0))
        .execute();
    },
  };
}
