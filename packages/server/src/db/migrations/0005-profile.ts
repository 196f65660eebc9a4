import { type Kysely, sql } from 'kysely';

/** What a company shows of itself: custom fields, profile values, photos; and the blobs behind those. */
export function profile() {
  return {
    // Long, because it lists tables and columns one after the other.
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('contact_fields')
        .addColumn('company_id', 'text', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('slug', 'text', (column) => column.notNull())
        .addColumn('label', 'text', (column) => column.notNull())
        .addColumn('usertype', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('contact_fields_pk', ['company_id', 'id'])
        .addUniqueConstraint('contact_fields_slug', ['company_id', 'slug'])
        .execute();

      await db.schema
        .createTable('contact_data')
        .addColumn('company_id', 'text', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('field_id', 'text', (column) => column.notNull())
        .addColumn('type', 'text', (column) => column.notNull())
        .addColumn('slug', 'text', (column) => column.notNull())
        .addColumn('label', 'text', (column) => column.notNull())
        .addColumn('value', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('contact_data_pk', ['company_id', 'id'])
        .addUniqueConstraint('contact_data_slug', ['company_id', 'slug'])
        .execute();

      await db.schema
        .createTable('photos')
        .addColumn('company_id', 'text', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('label', 'text')
        .addColumn('media_type', 'text', (column) => column.notNull())
        .addColumn('width', 'bigint', (column) => column.notNull())
        .addColumn('height', 'bigint', (column) => column.notNull())
        .addColumn('size', 'bigint', (column) => column.notNull())
        .addColumn('hash', 'text', (column) => column.notNull())
        .addColumn('thumb_hash', 'text', (column) => column.notNull())
        .addColumn('is_profile', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('photos_pk', ['company_id', 'id'])
        .addUniqueConstraint('photos_id', ['id'])
        .execute();
      await sql`create unique index photos_profile on photos (company_id) where is_profile = 1`.execute(db);

      await db.schema
        .createTable('share_photos')
        .addColumn('company_id', 'text', (column) => column.notNull())
        .addColumn('service_id', 'text', (column) => column.notNull())
        .addColumn('photo_id', 'text', (column) => column.notNull())
        .addColumn('position', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('share_photos_pk', ['company_id', 'service_id', 'photo_id'])
        .execute();
      await db.schema
        .createIndex('share_photos_photo')
        .on('share_photos')
        .columns(['photo_id', 'service_id'])
        .execute();

      await db.schema
        .createTable('blobs')
        .addColumn('hash', 'text', (column) => column.notNull())
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('size', 'bigint', (column) => column.notNull())
        .addColumn('refs', 'bigint', (column) => column.notNull())
        .addColumn('held_until', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('blobs_pk', ['hash'])
        .execute();
      await sql`create index blobs_unreferenced on blobs (held_until) where refs = 0`.execute(db);

      await db.schema
        .createTable('doomed_blobs')
        .addColumn('key', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('doomed_blobs_pk', ['key'])
        .execute();
    },
  };
}
