import type { Kysely } from 'kysely';

/** Sign-ins at apps: their codes, what the app may read with the token that a code gives, and the keys of id_tokens. */
export function signIns() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('sign_ins')
        .addColumn('company_id', 'text', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('client_id', 'text', (column) => column.notNull())
        .addColumn('person_id', 'text', (column) => column.notNull())
        .addColumn('code_hash', 'text', (column) => column.notNull())
        .addColumn('code_expires_at', 'bigint', (column) => column.notNull())
        .addColumn('used_at', 'bigint')
        .addColumn('revoked_at', 'bigint')
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('share_code', 'text', (column) => column.notNull())
        .addColumn('mode', 'text', (column) => column.notNull())
        .addColumn('redirect_uri', 'text')
        .addColumn('code_challenge', 'text')
        .addColumn('nonce', 'text')
        .addColumn('scope', 'text')
        .addColumn('two_factor', 'integer', (column) => column.notNull())
        .addColumn('auth_time', 'bigint')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('claims', 'text', (column) => column.notNull())
        .addColumn('attestations', 'text', (column) => column.notNull())
        .addPrimaryKeyConstraint('sign_ins_pk', ['company_id', 'id'])
        .execute();
      await db.schema.createIndex('sign_ins_expiry').on('sign_ins').column('expires_at').execute();
      await db.schema.createIndex('sign_ins_person').on('sign_ins').column('person_id').execute();

      await db.schema
        .createTable('sign_in_plaintexts')
        .addColumn('company_id', 'text', (column) => column.notNull())
        .addColumn('id', 'text', (column) => column.notNull())
        .addColumn('sealed', 'text', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('sign_in_plaintexts_pk', ['company_id', 'id'])
        .execute();
      await db.schema
        .createIndex('sign_in_plaintexts_expiry')
        .on('sign_in_plaintexts')
        .column('expires_at')
        .execute();

      await db.schema
        .createTable('signing_keys')
        .addColumn('id', 'text', (column) => column.primaryKey())
        .addColumn('algorithm', 'text', (column) => column.notNull())
        .addColumn('generation', 'integer', (column) => column.notNull())
        .addColumn('public_jwk', 'text', (column) => column.notNull())
        .addColumn('private_key', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('signs_from', 'bigint', (column) => column.notNull())
        .addColumn('published_until', 'bigint')
        .addUniqueConstraint('signing_keys_generation', ['algorithm', 'generation'])
        .execute();
    },
  };
}
