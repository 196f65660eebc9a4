import type { Migration } from 'kysely/migration';
import type { Engine } from '../database.ts';

/** What makes the schema, in the order of the names. A migration that was released never changes. */
export function migrations(engine: Engine): Record<string, Migration> {
  return {
    '0001-schema': {
      // Not loaded where it has run already: a start is sooner.
      up: async (db) => (await import('./0001-schema/schema.ts')).createSchema(db, engine),
    },
  };
}

/** The migration that every database has that this version can read. */
const FIRST = '0001-schema';

/** Names of the migrations that this version knows. */
export const knownMigrations: readonly string[] = Object.keys(migrations('sqlite'));

/**
 * Whether this version can read what some migrations made, all that a database or a backup has.
 * @returns 'older' for what was made before release 0.1.0, whose databases no version upgrades
 */
export function readability(
  names: readonly string[],
  known: readonly string[] = knownMigrations,
): 'readable' | 'older' | 'newer' {
  if (names.length > 0 && !names.includes(FIRST)) return 'older';
  return names.every((name) => known.includes(name)) ? 'readable' : 'newer';
}
