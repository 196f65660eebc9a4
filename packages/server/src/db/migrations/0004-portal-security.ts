import { type CreateTableBuilder, type Kysely, sql } from 'kysely';

/**
 * Logins of the portal with their second factors, devices and mailed codes; sessions that can be listed; delegates;
 * deletion of a company. Sessions from before end: people sign in once more.
 */
export function portalSecurity() {
  return {
    // Long, because it lists tables and columns one after the other.
    async up(db: Kysely<unknown>): Promise<void> {
      const table = (name: string, texts: readonly string[], numbers: readonly string[]) => {
        let builder = db.schema.createTable(name) as CreateTableBuilder<string, string>;
        for (const column of texts) builder = builder.addColumn(column, 'text', (built) => built.notNull());
        for (const column of numbers)
          builder = builder.addColumn(column, 'bigint', (built) => built.notNull());
        return builder;
      };
      const index = (name: string, on: string, ...columns: string[]) =>
        db.schema.createIndex(name).on(on).columns(columns).execute();

      await table(
        'portal_logins',
        ['company_id', 'id', 'email', 'name', 'role', 'password_hash'],
        ['totp_last_step', 'created_at'],
      )
        .addColumn('totp_secret', 'text')
        .addColumn('totp_enabled_at', 'bigint')
        .addPrimaryKeyConstraint('portal_logins_pk', ['company_id', 'id'])
        .addUniqueConstraint('portal_logins_id', ['id'])
        .addUniqueConstraint('portal_logins_email', ['email'])
        .execute();
      // The company's own login: the e-mail address and the password of its registration.
      await sql`
        insert into portal_logins
          (company_id, id, email, name, role, password_hash, totp_last_step, created_at)
        select id, id, email, name, 'owner', password_hash, 0, created_at from companies
      `.execute(db);
      await db.schema.alterTable('companies').dropColumn('password_hash').execute();

      await db.schema.dropTable('portal_sessions').execute();
      await table(
        'portal_sessions',
        ['company_id', 'login_id', 'id', 'token_hash', 'transport', 'user_agent'],
        ['created_at', 'last_seen_at', 'expires_at'],
      )
        .addPrimaryKeyConstraint('portal_sessions_pk', ['company_id', 'login_id', 'id'])
        .addUniqueConstraint('portal_sessions_token', ['token_hash'])
        .execute();

      await table(
        'sign_in_tickets',
        ['company_id', 'login_id', 'token_hash', 'transport'],
        ['attempts', 'expires_at'],
      )
        .addPrimaryKeyConstraint('sign_in_tickets_pk', ['token_hash'])
        .execute();
      await index('sign_in_tickets_login', 'sign_in_tickets', 'company_id', 'login_id');

      await table('two_factor_recovery_codes', ['company_id', 'login_id', 'code_hash'], [])
        .addPrimaryKeyConstraint('two_factor_recovery_codes_pk', ['company_id', 'login_id', 'code_hash'])
        .execute();

      await table(
        'trusted_devices',
        ['company_id', 'login_id', 'id', 'token_hash', 'user_agent'],
        ['created_at', 'last_used_at', 'expires_at'],
      )
        .addPrimaryKeyConstraint('trusted_devices_pk', ['company_id', 'login_id', 'id'])
        .addUniqueConstraint('trusted_devices_token', ['token_hash'])
        .execute();

      await table(
        'login_codes',
        ['company_id', 'login_id', 'purpose', 'code_hash', 'subject'],
        ['attempts', 'expires_at'],
      )
        .addPrimaryKeyConstraint('login_codes_pk', ['company_id', 'login_id', 'purpose'])
        .execute();

      await table(
        'delegate_invitations',
        ['company_id', 'id', 'email', 'role', 'token_hash'],
        ['created_at', 'expires_at'],
      )
        .addPrimaryKeyConstraint('delegate_invitations_pk', ['company_id', 'id'])
        .addUniqueConstraint('delegate_invitations_token', ['token_hash'])
        .addUniqueConstraint('delegate_invitations_email', ['company_id', 'email'])
        .execute();

      await table('company_deletions', ['company_id', 'email'], ['confirmed_at', 'due_at'])
        .addPrimaryKeyConstraint('company_deletions_pk', ['company_id'])
        .execute();

      // SQLite takes one column at a time.
      await db.schema.alterTable('audit_log').addColumn('actor_name', 'text').execute();
      await db.schema.alterTable('audit_log').addColumn('source', 'text').execute();
    },
  };
}
