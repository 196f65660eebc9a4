import { type CreateTableBuilder, type Kysely, sql } from 'kysely';
import type { Engine } from '../database.ts';

/** Companies, services, people, connections, values, the pull feed. */
export function spine(engine: Engine) {
  return {
    // Long, because it lists tables and columns one after the other.
    async up(db: Kysely<unknown>): Promise<void> {
      const table = (name: string) => db.schema.createTable(name);
      const text = <T extends string, C extends string>(
        builder: CreateTableBuilder<T, C>,
        ...names: string[]
      ) =>
        names.reduce<CreateTableBuilder<T, string>>(
          (built, name) => built.addColumn(name, 'text', (column) => column.notNull()),
          builder,
        );
      const nullable = <T extends string>(builder: CreateTableBuilder<T, string>, ...names: string[]) =>
        names.reduce((built, name) => built.addColumn(name, 'text'), builder);
      const whole = <T extends string>(builder: CreateTableBuilder<T, string>, ...names: string[]) =>
        names.reduce((built, name) => built.addColumn(name, 'bigint', (column) => column.notNull()), builder);
      const index = (name: string, on: string, ...columns: string[]) =>
        db.schema.createIndex(name).on(on).columns(columns).execute();

      await whole(
        text(
          table('companies'),
          'id',
          'name',
          'email',
          'password_hash',
          'code',
          'account_public_key',
          'account_public_key_sha256',
          'account_private_key',
          'recovery_public_key',
          'recovery_private_key',
        ),
        'created_at',
      )
        .addPrimaryKeyConstraint('companies_pk', ['id'])
        .addUniqueConstraint('companies_email', ['email'])
        .addUniqueConstraint('companies_code', ['code'])
        .execute();

      await whole(text(table('portal_sessions'), 'token_hash', 'company_id'), 'created_at', 'expires_at')
        .addPrimaryKeyConstraint('portal_sessions_pk', ['token_hash'])
        .execute();
      await index('portal_sessions_company', 'portal_sessions', 'company_id');

      await text(table('share_codes'), 'code', 'kind', 'subject_id')
        .addPrimaryKeyConstraint('share_codes_pk', ['code'])
        .execute();

      await whole(
        nullable(
          text(
            table('services'),
            'company_id',
            'id',
            'name',
            'share_code',
            'admin_email',
            'audience',
            'public_key',
            'public_key_sha256',
            'encrypted_private_key',
          ),
          'private_key_pem',
        ),
        'require_2fa',
        'number_matching',
        'request_version',
        'share_version',
        'connection_count',
        'connections_ended',
        'created_at',
        'updated_at',
      )
        .addPrimaryKeyConstraint('services_pk', ['company_id', 'id'])
        .addUniqueConstraint('services_id', ['id'])
        .addUniqueConstraint('services_share_code', ['company_id', 'share_code'])
        .execute();

      await whole(
        text(table('request_fields'), 'company_id', 'service_id', 'id', 'slug', 'label', 'type', 'audience'),
        'one_time',
        'mandatory_provide',
        'mandatory_connected',
        'verified',
        'position',
      )
        .addColumn('verified_max_age_days', 'bigint')
        .addPrimaryKeyConstraint('request_fields_pk', ['company_id', 'service_id', 'id'])
        .addUniqueConstraint('request_fields_slug', ['service_id', 'slug'])
        .execute();

      await whole(
        text(table('share_fields'), 'company_id', 'service_id', 'slug', 'label', 'type', 'value'),
        'position',
      )
        .addPrimaryKeyConstraint('share_fields_pk', ['company_id', 'service_id', 'slug'])
        .execute();

      await whole(
        nullable(text(table('clients'), 'client_id', 'company_id', 'secret_hash', 'endpoints'), 'service_id'),
        'epoch',
        'created_at',
        'secret_created_at',
      )
        .addPrimaryKeyConstraint('clients_pk', ['client_id'])
        .addUniqueConstraint('clients_service', ['service_id'])
        .execute();
      await index('clients_company', 'clients', 'company_id');

      await whole(
        nullable(
          text(table('recovery_copies'), 'company_id', 'id', 'kind', 'service_id', 'sealed'),
          'client_id',
        ),
        'created_at',
      )
        .addPrimaryKeyConstraint('recovery_copies_pk', ['company_id', 'id'])
        .execute();

      await whole(
        text(
          table('persons'),
          'id',
          'email',
          'display_name',
          'share_code',
          'public_key',
          'public_key_sha256',
          'key_salt',
          'login_hash',
          'encrypted_private_key',
          'recovery_hash',
          'recovery_private_key',
        ),
        'epoch',
        'created_at',
      )
        .addPrimaryKeyConstraint('persons_pk', ['id'])
        .addUniqueConstraint('persons_email', ['email'])
        .addUniqueConstraint('persons_share_code', ['share_code'])
        .execute();

      await whole(
        nullable(
          text(table('person_fields'), 'person_id', 'id', 'type', 'label', 'slug', 'usertype'),
          'value',
          'verification',
        ),
        'private',
        'created_at',
        'updated_at',
      )
        .addPrimaryKeyConstraint('person_fields_pk', ['person_id', 'id'])
        .addUniqueConstraint('person_fields_slug', ['person_id', 'slug'])
        .execute();

      await whole(
        text(table('verification_codes'), 'person_id', 'field_id', 'code_hash', 'value_hash'),
        'attempts',
        'expires_at',
      )
        .addPrimaryKeyConstraint('verification_codes_pk', ['person_id', 'field_id'])
        .execute();

      await whole(
        text(table('connections'), 'company_id', 'service_id', 'id', 'customer_id', 'customer_type'),
        'connected_at',
      )
        .addPrimaryKeyConstraint('connections_pk', ['company_id', 'service_id', 'id'])
        .addUniqueConstraint('connections_id', ['id'])
        .addUniqueConstraint('connections_customer', ['service_id', 'customer_id'])
        .execute();
      await index('connections_of_customer', 'connections', 'customer_id', 'id');

      await whole(
        nullable(
          text(table('slot_values'), 'company_id', 'connection_id', 'request_field_id'),
          'field_id',
          'value',
          'verification',
        ),
        'live',
        'private',
        'updated_at',
      )
        .addPrimaryKeyConstraint('slot_values_pk', ['company_id', 'connection_id', 'request_field_id'])
        .execute();
      await index('slot_values_field', 'slot_values', 'field_id');
      await index('slot_values_request_field', 'slot_values', 'request_field_id');

      await whole(
        text(table('consent_rows'), 'company_id', 'connection_id', 'request_field_id', 'consent_id', 'state'),
        'created_at',
      )
        .addColumn('decided_at', 'bigint')
        .addPrimaryKeyConstraint('consent_rows_pk', ['company_id', 'connection_id', 'request_field_id'])
        .execute();
      await index('consent_rows_consent', 'consent_rows', 'consent_id');
      await index('consent_rows_request_field', 'consent_rows', 'request_field_id');

      const changes =
        engine === 'sqlite'
          ? table('changes').addColumn('seq', 'integer', (column) => column.primaryKey().autoIncrement())
          : table('changes').addColumn('seq', 'bigint', (column) =>
              column.primaryKey().generatedAlwaysAsIdentity(),
            );
      await whole(
        nullable(
          text(
            changes,
            'id',
            'company_id',
            'service_id',
            'customer_id',
            'customer_type',
            'event',
            'collapse_key',
            'payload',
          ),
          'connection_id',
          'share_code',
          'request_field_id',
          'slug',
          'claim_owner',
        ),
        'at',
      )
        .addColumn('claimed_until', 'bigint')
        .execute();
      await index('changes_feed', 'changes', 'service_id', 'seq');
      await index('changes_collapse', 'changes', 'service_id', 'collapse_key');
      await index('changes_age', 'changes', 'at');

      await whole(
        text(table('service_logs'), 'company_id', 'service_id', 'id', 'type', 'message', 'metadata'),
        'created_at',
      )
        .addPrimaryKeyConstraint('service_logs_pk', ['company_id', 'service_id', 'id'])
        .execute();

      if (engine === 'postgres')
        await sql`alter table changes set (autovacuum_vacuum_scale_factor = 0.01)`.execute(db);
    },
  };
}
