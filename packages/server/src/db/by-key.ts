import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { Reader, Writer } from './database.ts';
import type { Tables } from './tables.ts';

type Row<Table extends keyof Tables> = Selectable<Tables[Table]>;
type Column<Table extends keyof Tables> = keyof Row<Table> & string;
/** What columns of a row must be: its key, or the part of it that it shares with others. */
type Key<Table extends keyof Tables> = { readonly [Name in Column<Table>]?: Row<Table>[Name] & {} };

/**
 * The first row with a key. Every row that has the key is read: name what one row alone has.
 * @param columns only these; all without them
 */
export async function rowBy<Table extends keyof Tables, Name extends Column<Table> = Column<Table>>(
  reader: Reader,
  table: Table,
  key: Key<Table>,
  columns?: readonly Name[],
): Promise<Pick<Row<Table>, Name> | undefined> {
  const rows = matching((reader as Writer).selectFrom(table as 'region_settings'), key);
  const row = columns === undefined ? rows.selectAll() : rows.select(columns as readonly never[]);
  return (await row.executeTakeFirst()) as Pick<Row<Table>, Name> | undefined;
}

/** Changes all rows with a key. @returns whether there is one */
export async function updateBy<Table extends keyof Tables>(
  writer: Writer,
  table: Table,
  key: Key<Table>,
  changes: Updateable<Tables[Table]>,
): Promise<boolean> {
  const rows = writer.updateTable(table as 'region_settings').set(changes as object);
  return (await matching(rows, key).executeTakeFirst()).numUpdatedRows > 0n;
}

/** Deletes all rows with a key. @returns whether there was one */
export async function deleteBy<Table extends keyof Tables>(
  writer: Writer,
  table: Table,
  key: Key<Table>,
): Promise<boolean> {
  const rows = writer.deleteFrom(table as 'region_settings');
  return (await matching(rows, key).executeTakeFirst()).numDeletedRows > 0n;
}

/**
 * Inserts a row, in the place of the one with its key.
 * @param key the columns of the primary key, or of a unique index
 */
export async function putBy<Table extends keyof Tables>(
  writer: Writer,
  table: Table,
  key: readonly Column<Table>[],
  row: Insertable<Tables[Table]>,
): Promise<void> {
  const changes = Object.entries(row).filter(([name]) => !key.includes(name as Column<Table>));
  await writer
    .insertInto(table as 'region_settings')
    .values(row as never)
    .onConflict((conflict) =>
      conflict.columns(key as readonly never[]).doUpdateSet(Object.fromEntries(changes) as object),
    )
    .execute();
}

/**
 * What an insert changes of a row that is there: each column of the new rows but those named, so a column that comes later is not
 * forgotten.
 * @param but the key, and what stays as it was
 */
export function replacedBut<Row extends object>(
  [row]: readonly Row[],
  but: readonly (keyof Row & string)[],
): Record<string, RawBuilder<never>> {
  const names = Object.keys(row ?? {}).filter((name) => !but.includes(name as keyof Row & string));
  return Object.fromEntries(names.map((name) => [name, sql.ref<never>(`excluded.${name}`)]));
}

interface Filtered<Query> {
  where(column: never, operator: '=', value: never): Query;
}

/** @throws without a column, which would be all rows */
function matching<Query extends Filtered<Query>>(query: Query, key: object): Query {
  const columns = Object.entries(key);
  if (columns.length === 0) throw new Error('A key has at least one column.');
  return columns.reduce((rows, [name, value]) => rows.where(name as never, '=', value as never), query);
}
