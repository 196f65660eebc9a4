import type { Kysely } from 'kysely';

/** Lists of confirmed keys, of people and of portal logins. Only their devices open them. */
export function pins() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('person_pins')
        .addColumn('person_id', 'text', (built) => built.primaryKey())
        .addColumn('counter', 'bigint', (built) => built.notNull())
        .addColumn('iv', 'text', (built) => built.notNull())
        .addColumn('data', 'text', (built) => built.notNull())
        .execute();
      await db.schema
        .createTable('login_pins')
        .addColumn('company_id', 'text', (built) => built.notNull())
        .addColumn('login_id', 'text', (built) => built.notNull())
        .addColumn('counter', 'bigint', (built) => built.notNull())
        .addColumn('iv', 'text', (built) => built.notNull())
        .addColumn('data', 'text', (built) => built.notNull())
        .addPrimaryKeyConstraint('login_pins_pk', ['company_id', 'login_id'])
        .execute();
    },
  };
}
