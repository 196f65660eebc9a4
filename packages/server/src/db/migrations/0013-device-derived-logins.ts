import { type Kysely, sql } from 'kysely';

/**
 * One kind of login for people and the portal: the device derives a login secret from the password and keeps the key that
 * wraps its private key. Logins of the portal from before sent their password; its hash is of no more use, so those
 * logins have no credentials until they are reset by mail. Their sessions end.
 */
export function deviceDerivedLogins() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema.alterTable('persons').renameColumn('key_salt', 'login_salt').execute();
      await db.schema
        .alterTable('persons')
        .addColumn('login_version', 'integer', (built) => built.notNull().defaultTo(1))
        .execute();

      await db.schema.alterTable('portal_logins').dropColumn('password_hash').execute();
      await db.schema.alterTable('portal_logins').addColumn('login_version', 'integer').execute();
      for (const column of [
        'login_salt',
        'login_hash',
        'public_key',
        'public_key_sha256',
        'encrypted_private_key',
        'recovery_hash',
        'recovery_private_key',
      ]) {
        // SQLite takes one column at a time.
        await db.schema.alterTable('portal_logins').addColumn(column, 'text').execute();
      }
      for (const table of ['portal_sessions', 'sign_in_tickets'])
        await sql`delete from ${sql.table(table)}`.execute(db);

      await db.schema
        .createTable('recovery_key_holders')
        .addColumn('company_id', 'text', (built) => built.notNull())
        .addColumn('login_id', 'text', (built) => built.notNull())
        .addColumn('sealed', 'text', (built) => built.notNull())
        .addColumn('created_at', 'bigint', (built) => built.notNull())
        .addPrimaryKeyConstraint('recovery_key_holders_pk', ['company_id', 'login_id'])
        .execute();

      await db.schema
        .createTable('act_proofs')
        .addColumn('company_id', 'text', (built) => built.notNull())
        .addColumn('login_id', 'text', (built) => built.notNull())
        .addColumn('session_id', 'text', (built) => built.notNull())
        .addColumn('token_hash', 'text', (built) => built.notNull())
        .addColumn('act', 'text', (built) => built.notNull())
        .addColumn('expires_at', 'bigint', (built) => built.notNull())
        .addPrimaryKeyConstraint('act_proofs_pk', ['company_id', 'login_id', 'token_hash'])
        .execute();

      await db.schema
        .createTable('mailed_tickets')
        .addColumn('ticket_hash', 'text', (built) => built.notNull())
        .addColumn('purpose', 'text', (built) => built.notNull())
        .addColumn('email', 'text', (built) => built.notNull())
        .addColumn('code_hash', 'text', (built) => built.notNull())
        .addColumn('attempts', 'bigint', (built) => built.notNull())
        .addColumn('expires_at', 'bigint', (built) => built.notNull())
        .addPrimaryKeyConstraint('mailed_tickets_pk', ['ticket_hash'])
        .execute();
    },
  };
}
