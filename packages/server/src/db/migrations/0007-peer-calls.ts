import { type Kysely, sql } from 'kysely';
import type { Engine } from '../database.ts';
import type { Step } from './index.ts';

/** Ids of calls between regions outlive the process on SQLite too. PostgreSQL has the table from the beginning. */
export const peerCalls = (engine: Engine): Step => ({
  besideOlder: true,
  async up(db: Kysely<unknown>) {
    if (engine === 'postgres') return;
    await sql`create table peer_calls (id text primary key, expires_at bigint not null)`.execute(db);
    await sql`create index peer_calls_expires on peer_calls (expires_at)`.execute(db);
  },
});
