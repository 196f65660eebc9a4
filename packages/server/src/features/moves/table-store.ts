import { type RawBuilder, sql } from 'kysely';
import type { Database, Engine, Reader, Writer } from '../../db/database.ts';
import { type CompanyTable, companyTables } from './company-tables.ts';
import type { Row } from './digest.ts';

/** A column of a table, with the engine's name of its type. */
interface Column {
  readonly name: string;
  readonly type: string;
}

/** A table of companies as it is in this database: its columns in the order of their names. */
export interface TableShape extends CompanyTable {
  readonly columns: readonly Column[];
  /** Where in a row the columns of the key are. */
  readonly keyPlaces: readonly number[];
  readonly apartPlaces: readonly number[];
  readonly emptiedPlaces: readonly number[];
}

/** The tables of companies as the schema has them. */
export async function shapesOf(database: Pick<Database, 'schema'>): Promise<readonly TableShape[]> {
  const found = await database.schema.introspection.getTables();
  return companyTables.map((table) => {
    const columns = (found.find(({ name }) => name === table.name)?.columns ?? [])
      .map(({ name, dataType }) => ({ name, type: dataType.toLowerCase() }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const placesOf = (names: readonly string[]) =>
      names.map((name) => columns.findIndex((column) => column.name === name));
    return {
      ...table,
      columns,
      keyPlaces: placesOf(table.key),
      apartPlaces: placesOf(table.apart),
      emptiedPlaces: placesOf(table.emptied),
    };
  });
}

/** The columns of all tables, for two regions to compare. */
export function fingerprintOf(shapes: readonly TableShape[]): Record<string, string> {
  return Object.fromEntries(
    shapes.map((shape) => [shape.name, shape.columns.map(({ name }) => name).join(' ')]),
  );
}

/** A stretch of a company's rows in the order of their keys. */
export interface Stretch {
  readonly companyId: string;
  /** Of which feed or queue. */
  readonly part: string;
  /** The last key before it; undefined: from the beginning. */
  readonly after: Row | undefined;
  /** Its last key; undefined: to the end. */
  readonly upto?: Row;
  readonly most?: number;
}

export async function readStretch(reader: Reader, shape: TableShape, stretch: Stretch): Promise<Row[]> {
  const { companyId, part, after, upto, most } = stretch;
  const columns = sql.join(shape.columns.map(({ name }) => sql.ref(name)));
  const key = sql.join(shape.key.map((name) => sql.ref(name)));
  const limits: RawBuilder<unknown>[] = [
    shape.feed === undefined
      ? sql`${sql.ref(shape.owner)} = ${companyId}`
      : sql`${sql.ref(shape.feed)} = ${part}`,
  ];
  if (after !== undefined) limits.push(sql`(${key}) > (${sql.join([...after])})`);
  if (upto !== undefined) limits.push(sql`(${key}) <= (${sql.join([...upto])})`);
  const query = sql<Record<string, string | number | null>>`
    select ${columns} from ${sql.table(shape.name)}
    where ${sql.join(limits, sql` and `)} order by ${key}
    ${most === undefined ? sql`` : sql`limit ${sql.lit(most)}`}
  `;
  const { rows } = await query.execute(reader as Writer);
  const empty = new Set(shape.emptiedPlaces);
  return rows.map((row) =>
    shape.columns.map(({ name }, place) => (empty.has(place) ? null : (row[name] ?? null))),
  );
}

/** The feeds or queues of a company: the pull feeds of its services and its account feed, or its webhooks' queues. */
export async function partsOf(reader: Reader, shape: TableShape, companyId: string): Promise<string[]> {
  if (shape.feed === undefined) return [''];
  const table = shape.feed === 'feed' ? 'services' : 'webhooks';
  const rows = await reader
    .selectFrom(table)
    .select('id')
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute();
  const ids = rows.map((row) => row.id);
  return shape.feed === 'feed' ? [...ids, companyId] : ids;
}

/**
 * Puts the staged rows of a table into it, in the order of their keys: what has a place in a queue gets a new one, in the
 * same order.
 * @param chunks only chunks up to this number count
 */
export async function insertStaged(
  engine: Engine,
  writer: Writer,
  shape: TableShape,
  { moveId, chunks }: { moveId: string; chunks: number },
): Promise<void> {
  const stored = shape.columns.flatMap((column, place) =>
    // Places are given by the database.
    shape.feed !== undefined && column.name === 'seq' ? [] : [{ ...column, place }],
  );
  const value = ({ type, place }: { type: string; place: number }) => {
    if (engine === 'sqlite') return sql`json_extract(staged.value, ${sql.lit(`$[${place}]`)})`;
    const text = sql`(staged.value ->> ${sql.lit(place)})`;
    return type === 'text' ? text : sql`${text}::bigint`;
  };
  const seq = shape.columns.findIndex((column) => column.name === 'seq');
  const source =
    engine === 'sqlite'
      ? sql`company_arrival_chunks, json_each(company_arrival_chunks.content) as staged`
      : sql`company_arrival_chunks, jsonb_array_elements(company_arrival_chunks.content::jsonb) as staged(value)`;
  await sql`
    insert into ${sql.table(shape.name)} (${sql.join(stored.map(({ name }) => sql.ref(name)))})
    select ${sql.join(stored.map(value))} from ${source}
    where company_arrival_chunks.move_id = ${moveId} and company_arrival_chunks.table_name = ${shape.name}
      and company_arrival_chunks.chunk <= ${chunks}
    ${shape.feed === undefined ? sql`` : sql`order by ${value({ type: 'int8', place: seq })}`}
  `.execute(writer);
}

/** Deletes all of a company's rows of a table. */
export async function deleteRows(writer: Writer, shape: CompanyTable, companyId: string): Promise<void> {
  await sql`delete from ${sql.table(shape.name)} where ${sql.ref(shape.owner)} = ${companyId}`.execute(
    writer,
  );
}

/** Deletes some of a company's rows of a table; gives how many. */
export async function deleteSomeRows(
  engine: Engine,
  writer: Writer,
  shape: CompanyTable,
  companyId: string,
  most: number,
): Promise<number> {
  const row = sql.raw(engine === 'sqlite' ? 'rowid' : 'ctid');
  const list = sql`
    select ${row} from ${sql.table(shape.name)} where ${sql.ref(shape.owner)} = ${companyId} limit ${sql.lit(most)}
  `;
  const chosen = engine === 'sqlite' ? sql`in (${list})` : sql`= any(array(${list}))`;
  const result = await sql`delete from ${sql.table(shape.name)} where ${row} ${chosen}`.execute(writer);
  return Number(result.numAffectedRows ?? 0n);
}
