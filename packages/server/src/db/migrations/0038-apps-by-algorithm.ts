import type { Kysely } from 'kysely';

/** Whether an app wants an algorithm of which there is no key is asked again and again, mostly in vain. */
export function appsByAlgorithm() {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      await db.schema
        .createIndex('oauth_apps_algorithm')
        .on('oauth_apps')
        .columns(['id_token_alg', 'client_id'])
        .execute();
    },
  };
}
