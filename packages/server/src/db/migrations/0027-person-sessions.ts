import type { CreateTableBuilder, Kysely } from 'kysely';

/** Sessions of people by cookie, and their sign-ins that wait for a second factor. */
export function personSessions() {
  return {
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
        'person_sessions',
        ['person_id', 'id', 'token_hash', 'user_agent'],
        ['epoch', 'created_at', 'last_seen_at', 'expires_at'],
      )
        .addPrimaryKeyConstraint('person_sessions_pk', ['person_id', 'id'])
        .addUniqueConstraint('person_sessions_token', ['token_hash'])
        .execute();
      await index('person_sessions_expiry', 'person_sessions', 'expires_at');
      await index('person_sessions_idle', 'person_sessions', 'last_seen_at');

      await table(
        'person_sign_in_tickets',
        ['person_id', 'token_hash', 'transport'],
        ['attempts', 'expires_at'],
      )
        .addPrimaryKeyConstraint('person_sign_in_tickets_pk', ['token_hash'])
        .execute();
      await index('person_sign_in_tickets_person', 'person_sign_in_tickets', 'person_id');
      await index('person_sign_in_tickets_expiry', 'person_sign_in_tickets', 'expires_at');
    },
  };
}
