import type { Kysely } from 'kysely';

/** Whether an app may have its sign-ins approved on another screen, and the digits by which the person shows to see that screen. */
export function detachedSignIn() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .alterTable('oauth_apps')
        .addColumn('detached', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
      await db.schema
        .alterTable('consent_requests')
        .addColumn('wrong_digits', 'integer', (column) => column.notNull().defaultTo(0))
        .execute();
      // Nothing but its secret says that the screen is the app's.
      const apps = db as Kysely<{ oauth_apps: { detached: number; app_type: string } }>;
      await apps
        .updateTable('oauth_apps')
        .set({ detached: 1 })
        .where('app_type', '=', 'confidential')
        .execute();
    },
  };
}
