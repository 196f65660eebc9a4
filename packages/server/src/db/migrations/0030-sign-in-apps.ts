import type { Kysely } from 'kysely';

/** What sign-in apps have beside their redirect URIs, and what people are asked at the consent page. */
export function signInApps() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const add = (column: string, type: 'text' | 'integer', fallback?: string | number) =>
        db.schema
          .alterTable('oauth_apps')
          .addColumn(column, type, (built) =>
            fallback === undefined ? built : built.notNull().defaultTo(fallback),
          )
          .execute();
      await add('service_id', 'text');
      await add('require_2fa', 'integer', 0);
      await add('id_token_alg', 'text', 'RS256');
      await add('claim_config', 'text', '[]');
      await add('encrypted_private_key', 'text');
      await add('private_key_pem', 'text');
      await consentTables(db);
    },
  };
}

async function consentTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('consent_requests')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('id', 'text', (built) => built.notNull())
    .addColumn('client_id', 'text', (built) => built.notNull())
    .addColumn('issuer', 'text', (built) => built.notNull())
    .addColumn('parameters', 'text', (built) => built.notNull())
    .addColumn('claims', 'text', (built) => built.notNull())
    .addColumn('public_key_sha256', 'text')
    .addColumn('state_hash', 'text')
    .addColumn('person_id', 'text')
    .addColumn('status', 'text', (built) => built.notNull())
    .addColumn('result', 'text')
    .addColumn('delivered', 'integer', (built) => built.notNull())
    .addColumn('claim_owner', 'text')
    .addColumn('claimed_until', 'bigint')
    .addColumn('created_at', 'bigint', (built) => built.notNull())
    .addColumn('expires_at', 'bigint', (built) => built.notNull())
    .addPrimaryKeyConstraint('consent_requests_pk', ['company_id', 'id'])
    .execute();
  await db.schema.createIndex('consent_requests_id').on('consent_requests').column('id').execute();
  await db.schema
    .createIndex('consent_requests_state')
    .unique()
    .on('consent_requests')
    .columns(['client_id', 'state_hash'])
    .execute();
  await db.schema
    .createIndex('consent_requests_expiry')
    .on('consent_requests')
    .column('expires_at')
    .execute();
  await db.schema.createIndex('consent_requests_person').on('consent_requests').column('person_id').execute();

  await db.schema
    .createTable('claim_choices')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('client_id', 'text', (built) => built.notNull())
    .addColumn('person_id', 'text', (built) => built.notNull())
    .addColumn('fields', 'text', (built) => built.notNull())
    .addPrimaryKeyConstraint('claim_choices_pk', ['company_id', 'client_id', 'person_id'])
    .execute();
  await db.schema.createIndex('claim_choices_person').on('claim_choices').column('person_id').execute();

  await db.schema
    .createTable('sign_in_log')
    .addColumn('company_id', 'text', (built) => built.notNull())
    .addColumn('id', 'text', (built) => built.notNull())
    .addColumn('person_id', 'text', (built) => built.notNull())
    .addColumn('client_id', 'text', (built) => built.notNull())
    .addColumn('mode', 'text', (built) => built.notNull())
    .addColumn('outcome', 'text', (built) => built.notNull())
    .addColumn('claims', 'text', (built) => built.notNull())
    .addColumn('two_factor', 'integer', (built) => built.notNull())
    .addColumn('detached', 'integer', (built) => built.notNull())
    .addColumn('at', 'bigint', (built) => built.notNull())
    .addColumn('expires_at', 'bigint', (built) => built.notNull())
    .addPrimaryKeyConstraint('sign_in_log_pk', ['company_id', 'id'])
    .execute();
  await db.schema.createIndex('sign_in_log_person').on('sign_in_log').columns(['person_id', 'id']).execute();
  await db.schema.createIndex('sign_in_log_expiry').on('sign_in_log').column('expires_at').execute();
}
