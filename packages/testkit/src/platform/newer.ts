import { sql } from 'kysely';
import { type Step, steps } from '../../../server/src/db/migrations/index.ts';

/** The migration by which a version is newer than this one. */
export const NEWER = '9999-newer';

/** It adds what this version does not know, also to tables that this version reads whole. */
const newer: Step = {
  besideOlder: true,
  async up(db) {
    await sql`create table newer_notes (id text not null primary key, text text not null)`.execute(db);
    for (const table of ['services', 'connections', 'persons', 'webhooks'])
      await sql`alter table ${sql.table(table)} add column newer_note text`.execute(db);
  },
};

/** Makes this process one of that version; there is no way back. */
export function beNewer(): void {
  Object.assign(steps, { [NEWER]: () => newer });
}
