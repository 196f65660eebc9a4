import { sql } from 'kysely';
import { STORED_MARK } from '../core/secrets.ts';
import type { Engine, Reader, Writer } from './database.ts';
import type { Table, TableName } from './table-registry.ts';

/** A column that is encrypted under the key-encryption key. It is empty for companies at home in other regions. */
export interface EncryptedColumn {
  readonly table: TableName;
  /** The columns of the primary key. */
  readonly key: readonly string[];
  readonly column: string;
}

export function encryptedColumns(tables: readonly Table[]): readonly EncryptedColumn[] {
  return tables.flatMap(({ name, key, encrypted = [] }) =>
    encrypted.map((column) => ({ table: name, key, column })),
  );
}

/** How many rows of a column are under which version of the key. */
export async function versionsOf(
  engine: Engine,
  reader: Reader,
  { table, column }: EncryptedColumn,
): Promise<{ version: number; rows: number }[]> {
  const stored = sql.ref(column);
  const version =
    engine === 'sqlite'
      ? sql<string>`substr(${stored}, 2, instr(${stored}, ':') - 2)`
      : sql<string>`substr(split_part(${stored}, ':', 1), 2)`;
  const rows = await reader
    .selectFrom(table)
    .select((eb) => [version.as('version'), eb.fn.countAll<number>().as('rows')])
    .where(stored, 'is not', null)
    .where(stored, '!=', '')
    .groupBy(version)
    .execute();
  return rows.map((row) => ({ version: Number(row.version), rows: Number(row.rows) }));
}

/** A row whose text is to be encrypted again. */
export interface OldRow {
  readonly id: string;
  /** The values of its primary key. */
  readonly key: readonly string[];
  readonly stored: string;
}

/** Rows of a column, after a place, whose text is under another version. */
export async function oldRows(
  reader: Reader,
  { table, key, column }: EncryptedColumn,
  { version, after, most }: { version: number; after: string; most: number },
): Promise<OldRow[]> {
  const present = `${STORED_MARK}${version}:%`;
  const rows = await reader
    .selectFrom(table)
    .select(['id', sql.ref<string>(column).as('stored')])
    .select(key.map((name, index) => sql.ref<string>(name).as(`key_${index}`)))
    .where(sql.ref(column), 'is not', null)
    .where(sql.ref(column), '!=', '')
    .where(sql.ref(column), 'not like', present)
    .where('id', '>', after)
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map((row) => {
    const values = row as unknown as Record<string, string>;
    return { id: row.id, stored: row.stored, key: key.map((_, index) => values[`key_${index}`] ?? '') };
  });
}

/** Replaces a stored value, unless it has changed since it was read. Tells whether it did. */
export async function replaceStored(
  writer: Writer,
  { table, key, column }: EncryptedColumn,
  row: { key: readonly string[]; before: string; after: string },
): Promise<boolean> {
  let update = writer
    .updateTable(table)
    .set({ [column]: row.after } as never)
    .where(sql.ref(column), '=', row.before);
  for (const [index, name] of key.entries()) update = update.where(sql.ref(name), '=', row.key[index]);
  const result = await update.executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
