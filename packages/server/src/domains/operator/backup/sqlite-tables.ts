import type { DatabaseSync } from 'node:sqlite';

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
