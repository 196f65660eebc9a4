import type { DatabaseSync } from 'node:sqlite';
import { outageOf } from '../../../db/engine-errors.ts';

/** Rows of every table of a SQLite database, but for the engine's own. */
export function countTables(database: DatabaseSync): Record<string, number> {
  const names = database
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
    .all() as { name: string }[];
  return Object.fromEntries(
    names.map(({ name }) => {
      const row = database.prepare(`select count(*) as count from "${name}"`).get() as { count: number };
      return [name, row.count];
    }),
  );
}

/** What is wrong with the pages of a SQLite database; undefined when all of them are sound. It reads the whole file. */
export function damageOf(database: DatabaseSync): string | undefined {
  try {
    const { integrity_check: found } = database.prepare('pragma integrity_check(1)').get() as {
      integrity_check: string;
    };
    return found === 'ok' ? undefined : found;
  } catch (error) {
    if (outageOf(error) !== 'damaged') throw error;
    return (error as Error).message;
  }
}
