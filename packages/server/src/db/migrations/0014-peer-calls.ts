import { type Kysely, sql } from 'kysely';
import type { Engine } from '../database.ts';

/** Ids of calls between regions, so that none is answered twice. An embedded database has one process, which remembers them. */
export function peerCalls(engine: Engine) {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      if (engine === 'sqlite') return;
      await sql`create unlogged table peer_calls (id text primary key, expires_at bigint not null)`.execute(
        db,
      );
      await sql`create index peer_calls_expires on peer_calls (expires_at)`.execute(db);
    },
  };
}
