import type { Engine } from '../../../server/src/db/database.ts';

/** Which engines tests run on: `both`, or the name of one. Unset: PostgreSQL where a test is about it. */
export const ENGINES_VARIABLE = 'SYMBOLON_TEST_ENGINES';

const asked = process.env[ENGINES_VARIABLE];
/** SQLite always, PostgreSQL when the run has started one. */
const present: readonly Engine[] =
  process.env.SYMBOLON_TEST_DATABASE_URL === undefined ? ['sqlite'] : ['sqlite', 'postgres'];

/** The engines of tests that are about SQL, locks or concurrency. */
export const engines: readonly Engine[] =
  asked === undefined || asked === 'both' ? present : present.filter((engine) => engine === asked);

/**
 * Where a test takes long and several of its kind share the engines between them: this one in a usual run, all with `--all`.
 * Without PostgreSQL it is the other one.
 */
export function engineOrAll(usual: Engine): readonly Engine[] {
  const one = engines.filter((engine) => engine === usual);
  return asked === undefined && one.length > 0 ? one : engines;
}

/** The engines of all other tests: whether rules hold does not depend on the engine below them. */
export const usualEngines: readonly Engine[] =
  asked === undefined ? engines.filter((engine) => engine === 'sqlite') : engines;
