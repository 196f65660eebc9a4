import type { Kysely } from 'kysely';

/** When the enrolment of an authenticator app was begun: what was begun before this is void. */
export function secondFactorBegun() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const table of ['persons', 'portal_logins'])
        await db.schema.alterTable(table).addColumn('totp_begun_at', 'bigint').execute();
    },
  };
}
