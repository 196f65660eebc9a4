import { sql } from 'kysely';
import type { Engine, Reader } from './database.ts';
import type { Table } from './table-registry.ts';

/**
 * How many keyed hashes of a table are under which version of the key. The version stands before a colon; a hash without one is
 * under version 1.
 * @param only the value that a column must have
 */
export async function hashesByVersion(
  engine: Engine,
  reader: Reader,
  { name, hashed = [] }: Pick<Table, 'name' | 'hashed'>,
  only?: { column: string; value: string },
): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  for (const column of hashed) {
    const stored = sql.ref(column);
    const before =
      engine === 'sqlite'
        ? sql<string>`case instr(${stored}, ':') when 0 then '1' else substr(${stored}, 1, instr(${stored}, ':') - 1) end`
        : sql<string>`case strpos(${stored}, ':') when 0 then '1' else split_part(${stored}, ':', 1) end`;
    let query = reader
      .selectFrom(name)
      .select((eb) => [before.as('version'), eb.fn.countAll<number>().as('rows')])
      .where(stored, 'is not', null)
      .where(stored, '!=', '')
      .groupBy(before);
    if (only !== undefined) query = query.where(sql.ref(only.column), '=', only.value);
    for (const row of await query.execute()) {
      const version = Number(row.version);
      found.set(version, (found.get(version) ?? 0) + Number(row.rows));
    }
  }
  return found;
}
