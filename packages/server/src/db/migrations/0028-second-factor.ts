import { type Kysely, sql } from 'kysely';

/** Enrolments of people with services, and the challenges that services raise. */
export function secondFactor() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createTable('two_factor_enrolments')
        .addColumn('company_id', 'text', (built) => built.notNull())
        .addColumn('id', 'text', (built) => built.notNull())
        .addColumn('service_id', 'text', (built) => built.notNull())
        .addColumn('person_id', 'text', (built) => built.notNull())
        .addColumn('app_id', 'text')
        .addColumn('muted', 'integer', (built) => built.notNull())
        .addColumn('denials', 'integer', (built) => built.notNull())
        .addColumn('denied_at', 'bigint')
        .addColumn('created_at', 'bigint', (built) => built.notNull())
        .addPrimaryKeyConstraint('two_factor_enrolments_pk', ['company_id', 'id'])
        .execute();
      await db.schema
        .createIndex('two_factor_enrolments_of_service')
        .unique()
        .on('two_factor_enrolments')
        .columns(['service_id', 'person_id'])
        .execute();
      await db.schema
        .createIndex('two_factor_enrolments_of_person')
        .on('two_factor_enrolments')
        .columns(['person_id', 'id'])
        .execute();

      await db.schema
        .createTable('two_factor_challenges')
        .addColumn('company_id', 'text', (built) => built.notNull())
        .addColumn('id', 'text', (built) => built.notNull())
        .addColumn('service_id', 'text', (built) => built.notNull())
        .addColumn('person_id', 'text', (built) => built.notNull())
        .addColumn('idempotency_key', 'text', (built) => built.notNull())
        .addColumn('context', 'text')
        .addColumn('digits', 'text')
        .addColumn('wrong_digits', 'integer', (built) => built.notNull())
        .addColumn('status', 'text', (built) => built.notNull())
        .addColumn('created_at', 'bigint', (built) => built.notNull())
        .addColumn('expires_at', 'bigint', (built) => built.notNull())
        .addColumn('completed_at', 'bigint')
        .addColumn('delivered', 'integer', (built) => built.notNull())
        .addColumn('claim_owner', 'text')
        .addColumn('claimed_until', 'bigint')
        .addPrimaryKeyConstraint('two_factor_challenges_pk', ['company_id', 'id'])
        .execute();
      await db.schema
        .createIndex('two_factor_challenges_id')
        .unique()
        .on('two_factor_challenges')
        .column('id')
        .execute();
      await db.schema
        .createIndex('two_factor_challenges_of_service')
        .on('two_factor_challenges')
        .columns(['service_id', 'person_id', 'idempotency_key', 'expires_at'])
        .execute();
      // Few at a time: what a person is asked now.
      await db.schema
        .createIndex('two_factor_challenges_pending')
        .on('two_factor_challenges')
        .columns(['person_id', 'expires_at'])
        .where(sql.ref('status'), '=', sql.lit('pending'))
        .execute();
      await db.schema
        .createIndex('two_factor_challenges_expiry')
        .on('two_factor_challenges')
        .column('expires_at')
        .execute();
    },
  };
}
