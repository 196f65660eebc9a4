import type { Kysely } from 'kysely';
import type { Engine } from '../database.ts';

/** Account clients, sign-in apps, the record of administrative acts; recovery copies that belong to no service. */
export function accountClients(engine: Engine) {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('account_clients')
        .addColumn('company_id', 'text', (column) => column.notNull())
        .addColumn('client_id', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('purpose', 'text')
        .addColumn('capabilities', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('account_clients_pk', ['company_id', 'client_id'])
        // Both engines let any number of rows have no purpose.
        .addUniqueConstraint('account_clients_purpose', ['company_id', 'purpose'])
        .execute();

      await db.schema
        .createTable('oauth_apps')
        .addColumn('company_id', 'text', (column) => column.notNull())
        .addColumn('client_id', 'text', (column) => column.notNull())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('app_type', 'text', (column) => column.notNull())
        .addColumn('redirect_uris', 'text', (column) => column.notNull())
        .addColumn('claims_delivery', 'text', (column) => column.notNull())
        .addColumn('public_key', 'text')
        .addColumn('public_key_sha256', 'text')
        .addColumn('secret_hash', 'text')
        .addColumn('secret_created_at', 'bigint')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('updated_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('oauth_apps_pk', ['company_id', 'client_id'])
        .addUniqueConstraint('oauth_apps_client', ['client_id'])
        .execute();

      await db.schema
        .createTable('audit_log')
        .addColumn('company_id', 'text', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('actor_kind', 'text', (column) => column.notNull())
        .addColumn('actor_id', 'text', (column) => column.notNull())
        .addColumn('action', 'text', (column) => column.notNull())
        .addColumn('target', 'text', (column) => column.notNull())
        .addColumn('details', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('audit_log_pk', ['company_id', 'id'])
        .execute();

      if (engine === 'postgres') {
        await db.schema
          .alterTable('recovery_copies')
          .alterColumn('service_id', (column) => column.dropNotNull())
          .execute();
      } else await rebuildRecoveryCopies(db as Kysely<Columns>);
    },
  };
}

/** SQLite cannot take a constraint off a column: the table is made anew around its rows. */
async function rebuildRecoveryCopies(db: Kysely<Columns>): Promise<void> {
  await db.schema
    .createTable('recovery_copies_new')
    .addColumn('company_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('service_id', 'text')
    .addColumn('client_id', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_copies_pk', ['company_id', 'id'])
    .execute();
  await db
    .insertInto('recovery_copies_new')
    .columns(COLUMNS)
    .expression(db.selectFrom('recovery_copies').select(COLUMNS))
    .execute();
  await db.schema.dropTable('recovery_copies').execute();
  await db.schema.alterTable('recovery_copies_new').renameTo('recovery_copies').execute();
}

const COLUMNS = ['company_id', 'id', 'kind', 'sealed', 'service_id', 'client_id', 'created_at'] as const;
type Columns = Record<'recovery_copies' | 'recovery_copies_new', Record<(typeof COLUMNS)[number], unknown>>;
