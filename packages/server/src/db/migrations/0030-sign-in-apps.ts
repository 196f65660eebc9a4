import type { Kysely } from 'kysely';

/** What sign-in apps have beside their redirect URIs. */
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
    },
  };
}
