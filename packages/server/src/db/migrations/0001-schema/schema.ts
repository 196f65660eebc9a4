import { type Kysely, sql } from 'kysely';
import type { Engine } from '../../database.ts';
import { companies } from './companies.ts';
import { conversation } from './conversation.ts';
import { delivery } from './delivery.ts';
import { documents } from './documents.ts';
import { fileTriggers } from './files.ts';
import { flows } from './flows.ts';
import { logins } from './logins.ts';
import { operations } from './operations.ts';
import { people } from './people.ts';
import { regions } from './regions.ts';
import { rowCounts } from './row-counts.ts';
import { runs } from './runs.ts';
import { services } from './services.ts';
import { sharing } from './sharing.ts';
import { signIn } from './sign-in.ts';

/** Every table of release 0.1.0; then what counts and notes their rows. */
const PARTS: readonly ((engine: Engine) => string[])[] = [
  companies,
  logins,
  people,
  services,
  sharing,
  delivery,
  signIn,
  conversation,
  documents,
  flows,
  runs,
  regions,
  operations,
  fileTriggers,
  rowCounts,
];

/** Creates the schema in an empty database. */
export async function createSchema(db: Kysely<unknown>, engine: Engine): Promise<void> {
  for (const part of PARTS) for (const statement of part(engine)) await sql.raw(statement).execute(db);
}
