import type { CreateTableBuilder, Kysely } from 'kysely';

/** Passkeys of people and logins, the second factor of people, and nonces that were used. */
export function presence() {
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

      await db.schema.alterTable('persons').addColumn('totp_secret', 'text').execute();
      await db.schema.alterTable('persons').addColumn('totp_enabled_at', 'bigint').execute();
      await db.schema
        .alterTable('persons')
        .addColumn('totp_last_step', 'bigint', (built) => built.notNull().defaultTo(0))
        .execute();

      const texts = ['id', 'credential_id', 'public_key', 'transports', 'name'];
      const numbers = ['counter', 'backup_eligible', 'backed_up', 'created_at'];
      for (const [name, owner] of [
        ['person_passkeys', ['person_id']],
        ['login_passkeys', ['company_id', 'login_id']],
      ] as const) {
        await table(name, [...owner, ...texts], numbers)
          .addColumn('encrypted_private_key', 'text')
          .addColumn('last_used_at', 'bigint')
          .addPrimaryKeyConstraint(`${name}_pk`, [...owner, 'id'])
          .addUniqueConstraint(`${name}_credential`, ['credential_id'])
          .execute();
      }

      await table('person_recovery_codes', ['person_id', 'code_hash'], [])
        .addPrimaryKeyConstraint('person_recovery_codes_pk', ['person_id', 'code_hash'])
        .execute();
      await table(
        'person_codes',
        ['person_id', 'purpose', 'code_hash', 'subject'],
        ['attempts', 'expires_at'],
      )
        .addPrimaryKeyConstraint('person_codes_pk', ['person_id', 'purpose'])
        .execute();
      await index('person_codes_expiry', 'person_codes', 'expires_at');
      await table('used_nonces', ['nonce'], ['expires_at'])
        .addPrimaryKeyConstraint('used_nonces_pk', ['nonce'])
        .execute();
      await index('used_nonces_expiry', 'used_nonces', 'expires_at');
    },
  };
}
