import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Engine, Writer } from './database.ts';
import { inOrderMost } from './in-order.ts';
import { inList, listParameter } from './lists.ts';
import type { RowsLeft, Table } from './table-registry.ts';

/** A place in an order of rows: an id or a number. */
export type Place = string | number;

/** A column, or what an index computes of columns. */
type Column = string | RawBuilder<unknown>;

const columnOf = (column: Column) => (typeof column === 'string' ? sql.ref(column) : column);

/** Rows of one owner in an order: columns with the values that all of them have, and the column that tells them apart. */
export interface Series {
  readonly owner: readonly (readonly [column: Column, value: string])[];
  readonly order: string;
}

/**
 * The rows of a series behind a place. Order them by `orderOf` as well: then only an index on the columns of both is of use.
 * With equal signs PostgreSQL may walk an index on the last column alone, and pass over the rows of all other owners.
 * Without the lower bound it takes the rows for so many that another index of the owner, and sorting, seem cheaper.
 */
export function isBehind({ owner, order }: Series, after: Place): RawBuilder<SqlBool> {
  const columns = owner.map(([column]) => columnOf(column));
  const values = owner.map(([, value]) => sql`${value}`);
  return sql<SqlBool>`(${sql.join([...columns, sql.ref(order)])}) > (${sql.join([...values, sql`${after}`])})
    and (${sql.join(columns)}) >= (${sql.join(values)}) and (${sql.join(columns)}) <= (${sql.join(values)})`;
}

export const orderOf = ({ owner, order }: Series): RawBuilder<unknown> =>
  sql.join([...owner.map(([column]) => column), order].map(columnOf));

/** What a deletion has left, and how far that has come: the first of it is in hand. */
export interface Leftovers {
  readonly left: readonly RowsLeft[];
  /** The place of the last row that was deleted of the first; null at its beginning. */
  readonly after: Place | null;
}

/** Last columns of keys that are numbers. */
const NUMBERS: ReadonlySet<string> = new Set(['company_turn', 'seq', 'version']);

/** What came of deleting some of it. */
export interface Deleted {
  readonly rows: number;
  readonly next: Leftovers;
  readonly finished: boolean;
}

/** The leftovers after some rows of the first were deleted: fewer than asked for are the last ones. */
export function afterDeleting(
  { left }: Leftovers,
  { rows, last, most }: { rows: number; last: Place | null; most: number },
): Deleted {
  if (rows >= most) return { rows, next: { left, after: last }, finished: false };
  const rest = left.slice(1);
  return { rows, next: { left: rest, after: null }, finished: rest.length === 0 };
}

/**
 * Deletes the next of the rows that a deletion has left. Their tables have an index that begins with the columns that are the
 * same in all of them and goes on with the last column of the key.
 */
export async function deleteLeft(
  engine: Engine,
  writer: Writer,
  tables: readonly Table[],
  { left, after, companyId }: Leftovers & { readonly companyId: string },
  most: number,
): Promise<Deleted> {
  const [first] = left;
  const table = tables.find(({ name }) => name === first?.table);
  if (first === undefined || table === undefined)
    return afterDeleting({ left, after }, { rows: 0, last: null, most });
  const series = seriesOf(table, first, companyId);
  const { rows } = await sql<{ place: Place }>`
    select ${sql.ref(series.order)} as place from ${sql.table(table.name)}
    where ${isBehind(series, after ?? (NUMBERS.has(series.order) ? -1 : ''))}
    order by ${orderOf(series)} limit ${inOrderMost(most)}
  `.execute(writer);
  const places = rows.map(({ place }) => place);
  const last = places.at(-1) ?? after;
  if (places.length > 0) {
    const owners = series.owner.map(([column, value]) => sql`${columnOf(column)} = ${value}`);
    const type = typeof last === 'number' ? 'bigint' : 'text';
    await sql`
      delete from ${sql.table(table.name)} where ${sql.join(owners, sql` and `)}
      and ${inList(engine, series.order, listParameter(engine, places), type)}
    `.execute(writer);
  }
  return afterDeleting({ left, after }, { rows: places.length, last, most });
}

function seriesOf({ key, belongsTo }: Table, { column, id }: RowsLeft, companyId: string): Series {
  const company = belongsTo?.companies;
  const isKeyed = company !== undefined && company === key[0] && company !== column;
  return {
    owner: [...(isKeyed ? [[company, companyId] as const] : []), [column, id]],
    order: key.at(-1) ?? '',
  };
}
