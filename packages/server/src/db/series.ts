import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Engine, Writer } from './database.ts';
import { inList, listParameter } from './lists.ts';
import type { RowsLeft, Table } from './table-registry.ts';

/** A place in an order of rows: an id or a number. */
export type Place = string | number;

/** Rows of one owner in an order: columns with the values that all of them have, and the column that tells them apart. */
export interface Series {
  readonly owner: readonly (readonly [column: string, value: string])[];
  readonly order: string;
}

/**
 * The rows of a series behind a place. Order them by `orderOf` as well: then only an index on the columns of both is of use.
 * With equal signs PostgreSQL may walk an index on the last column alone, and pass over the rows of all other owners.
 */
export function isBehind({ owner, order }: Series, after: Place): RawBuilder<SqlBool> {
  const columns = owner.map(([column]) => sql.ref(column));
  const values = owner.map(([, value]) => sql`${value}`);
  return sql<SqlBool>`(${sql.join([...columns, sql.ref(order)])}) > (${sql.join([...values, sql`${after}`])})
    and (${sql.join(columns)}) <= (${sql.join(values)})`;
}

export const orderOf = ({ owner, order }: Series): RawBuilder<unknown> =>
  sql.join([...owner.map(([column]) => column), order].map((column) => sql.ref(column)));

/** Before the first row. */
const START = { seq: -1 } as const satisfies Record<string, Place>;

/**
 * Deletes the next of the rows that a deletion has left.
 * @param table theirs; it has an index that begins with what is in common of them and goes on with the last column of its key
 * @param after the place of the last row that was deleted before; null at the beginning
 */
export async function deleteNext(
  engine: Engine,
  writer: Writer,
  table: Table,
  left: RowsLeft & { readonly companyId: string },
  { after, most }: { after: Place | null; most: number },
): Promise<{ rows: number; last: Place | null }> {
  const order = table.key.at(-1) ?? '';
  const company = table.belongsTo?.companies;
  const series: Series = {
    owner: [
      ...(company !== undefined && company === table.key[0] && company !== left.column
        ? [[company, left.companyId] as const]
        : []),
      [left.column, left.id],
    ],
    order,
  };
  const begin = after ?? (order === 'seq' ? START.seq : '');
  const { rows } = await sql<{ place: Place }>`
    select ${sql.ref(order)} as place from ${sql.table(table.name)} where ${isBehind(series, begin)}
    order by ${orderOf(series)} limit ${sql.lit(most)}
  `.execute(writer);
  const places = rows.map(({ place }) => place);
  const last = places.at(-1);
  if (last === undefined) return { rows: 0, last: after };
  const owners = series.owner.map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  const type = typeof last === 'number' ? 'bigint' : 'text';
  await sql`
    delete from ${sql.table(table.name)}
    where ${sql.join(owners, sql` and `)} and ${inList(engine, order, listParameter(engine, places), type)}
  `.execute(writer);
  return { rows: places.length, last };
}
