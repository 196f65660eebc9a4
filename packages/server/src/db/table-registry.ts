import { sql } from 'kysely';
import type { Engine, Writer } from './database.ts';
import { inOrderMost } from './in-order.ts';
import { inList, inListOf, listParameter } from './lists.ts';
import type { Tables } from './tables.ts';

export type TableName = keyof Tables;

/** What the owner of a table says about it beside the type of its rows. */
interface TableRules<Column extends string> {
  /** The columns of the primary key. */
  readonly key: readonly Column[];
  /** The tables whose rows it belongs to, with the column that names the row: its rows are deleted with that row. */
  readonly belongsTo?: { readonly [Parent in TableName]?: Column };
  /** Those of these tables one row of which may have any number of rows here: they are deleted in steps, after the row. */
  readonly manyOf?: readonly TableName[];
  /** How rows go with their company to another region. Every table whose rows belong to companies says it. */
  readonly move?: MoveRules<Column> | 'stays';
  /**
   * Columns that are encrypted under the server's key-encryption key, each text bound to the table, the column and the primary
   * key. The table needs a column `id`.
   */
  readonly encrypted?: readonly Column[];
  /** Columns with keyed hashes, which name the version of the server's key that made them. */
  readonly hashed?: readonly Column[];
  /** Set when only one engine has the table. */
  readonly onlyOn?: Engine;
  /** Top folders and domains, other than the owner's, whose queries read the table. */
  readonly readBy?: readonly string[];
  /** Those whose queries write it, and may read it. */
  readonly writtenBy?: readonly string[];
}

export interface MoveRules<Column extends string> {
  /** For feeds and queues: the column that tells them apart. Their rows go in the order of `seq` and get new places. */
  readonly feed?: Column;
  /** Columns that differ between the regions. */
  readonly notCompared?: readonly Column[];
  /** Columns that arrive empty, such as leases: an instance of one region is unknown in the other. */
  readonly emptied?: readonly Column[];
  /** Rows that are read and sent at once; 500 by default. */
  readonly page?: number;
  /** May be long: rows are deleted after the switch, in chunks. Nothing reaches them without the other tables. */
  readonly bulk?: boolean;
  /** Whether writes of the company's rows are refused while it moves; true by default. */
  readonly frozen?: boolean;
}

/** A page of rows that may each hold a value as long as a wrapper may be. */
export const VALUES_PAGE = 100;

export interface Table extends TableRules<string> {
  readonly name: TableName;
}

/** Declares the tables of one feature. Their rows are typed in `Tables`. */
export function defineTables(
  tables: {
    readonly [Name in TableName]?: TableRules<keyof Tables[Name] & string>;
  },
): readonly Table[] {
  return Object.entries(tables).map(([name, rules]) => ({ name: name as TableName, ...rules }));
}

/** The tables, each after those that its rows belong to. */
export function inDependencyOrder(tables: readonly Table[]): Table[] {
  const ordered = new Set<Table>();
  const add = (table: Table) => {
    if (ordered.has(table)) return;
    const parents = tables.filter(({ name }) => name !== table.name && table.belongsTo?.[name] !== undefined);
    parents.forEach(add);
    ordered.add(table);
  };
  tables.forEach(add);
  return [...ordered];
}

/** A table with the column that names the row its rows belong to. */
export interface Dependent {
  readonly table: Table;
  readonly column: string;
}

/** The tables whose rows belong to rows of another table, in the order of the list. */
export function dependentsOf(tables: readonly Table[], parent: TableName): readonly Dependent[] {
  return tables.flatMap((table) => {
    const column = table.belongsTo?.[parent];
    return column === undefined ? [] : [{ table, column }];
  });
}

/** Rows of a company that others belong to. */
export interface Parents {
  readonly ids: readonly string[];
  /** Of tables that also name their company only rows of this one: their keys begin with it. */
  readonly companyId: string;
}

/** Deletes all rows that belong to some rows. */
export async function deleteDependents(
  engine: Engine,
  writer: Writer,
  dependents: readonly Dependent[],
  { ids, companyId }: Parents,
): Promise<void> {
  const list = listParameter(engine, ids);
  for (const { table, column } of dependents) {
    const company = table.belongsTo?.companies;
    const among =
      company === undefined
        ? inList(engine, column, list)
        : inListOf(engine, [company, companyId], column, list);
    await sql`delete from ${sql.table(table.name)} where ${among}`.execute(writer);
  }
}

/** Rows of a table that name a deleted row in a column, and are still to be deleted. */
export interface RowsLeft {
  readonly table: TableName;
  readonly column: string;
  readonly id: string;
}

/**
 * Deletes a row of a company with the rows that belong to it, but for those of which there may be any number.
 * @returns what is left for steps
 */
export async function deleteRow(
  writer: Writer,
  tables: readonly Table[],
  row: { readonly table: TableName; readonly id: string; readonly companyId: string },
): Promise<RowsLeft[]> {
  const isMany = (table: Table, parent: TableName) => table.manyOf?.includes(parent) === true;
  const all = dependentsOf(tables, row.table);
  const left = all
    .filter(({ table }) => isMany(table, row.table))
    .map(({ table, column }) => ({ table: table.name, column, id: row.id }));
  const few = all.filter(({ table }) => !isMany(table, row.table));
  for (const { table: parent, column } of few) {
    for (const below of dependentsOf(tables, parent.name)) {
      if (!isMany(below.table, parent.name)) continue;
      const { rows } = await sql<{ id: string }>`
        select id from ${sql.table(parent.name)} where ${sql.ref(column)} = ${row.id} order by id
      `.execute(writer);
      left.push(...rows.map(({ id }) => ({ table: below.table.name, column: below.column, id })));
    }
  }
  for (const { table, column } of few) {
    const company = table.belongsTo?.companies;
    const ofCompany = company === undefined ? sql`` : sql`and ${sql.ref(company)} = ${row.companyId}`;
    await sql`delete from ${sql.table(table.name)} where ${sql.ref(column)} = ${row.id} ${ofCompany}`.execute(
      writer,
    );
  }
  await sql`delete from ${sql.table(row.table)} where company_id = ${row.companyId} and id = ${row.id}`.execute(
    writer,
  );
  return left;
}

/** Deletes some of the rows that belong to one row, found by an index on the column; gives how many. */
export async function deleteChunk(
  engine: Engine,
  writer: Writer,
  { table, column }: { table: Pick<Table, 'name'>; column: string },
  id: string,
  most: number,
): Promise<number> {
  const row = sql.raw(engine === 'sqlite' ? 'rowid' : 'ctid');
  // In the order of the column: else PostgreSQL may read the table from its front, with all that was deleted before.
  const list = sql`
    select ${row} from ${sql.table(table.name)} where ${sql.ref(column)} >= ${id} and ${sql.ref(column)} <= ${id}
    order by ${sql.ref(column)} limit ${inOrderMost(most)}
  `;
  const chosen = engine === 'sqlite' ? sql`in (${list})` : sql`= any(array(${list}))`;
  const result = await sql`delete from ${sql.table(table.name)} where ${row} ${chosen}`.execute(writer);
  return Number(result.numAffectedRows ?? 0n);
}
