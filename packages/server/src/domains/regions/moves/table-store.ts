import { type RawBuilder, sql } from 'kysely';
import type { Database, Engine, Reader, Writer } from '../../../db/database.ts';
import { deleteChunk, type Table } from '../../../db/table-registry.ts';
import { type CompanyTable, movingTables } from './company-tables.ts';
import type { Row } from './digest.ts';
import { executeAll, literalId } from './statements.ts';

/** A column of a table, with the engine's name of its type. */
interface Column {
  readonly name: string;
  readonly type: string;
}

/** A table of companies as it is in this database, with its columns in the order of their names. */
export interface TableShape extends CompanyTable {
  readonly columns: readonly Column[];
  /** Indexes of the columns that are not compared. */
  readonly apartPlaces: readonly number[];
  readonly emptiedPlaces: readonly number[];
}

/** The tables of companies as the schema has them. */
export async function shapesOf(
  database: Pick<Database, 'schema'>,
  tables: readonly Table[],
): Promise<readonly TableShape[]> {
  const found = await database.schema.introspection.getTables();
  return movingTables(tables).map((table) => {
    const columns = (found.find(({ name }) => name === table.name)?.columns ?? [])
      .map(({ name, dataType }) => ({ name, type: dataType.toLowerCase() }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const placesOf = (names: readonly string[]) =>
      names.map((name) => columns.findIndex((column) => column.name === name));
    return {
      ...table,
      columns,
      apartPlaces: placesOf(table.notCompared),
      emptiedPlaces: placesOf(table.emptied),
    };
  });
}

/** The columns of every table, which two regions compare before a move. */
export function fingerprintOf(shapes: readonly TableShape[]): Record<string, string> {
  return Object.fromEntries(
    shapes.map((shape) => [shape.name, shape.columns.map(({ name }) => name).join(' ')]),
  );
}

/** Columns of a customer's field, sent behind those of the slot that follows it: the field as the source knows it. */
const KNOWN = ['version', 'private', 'updated_at', 'verification'] as const;

/** On SQLite a query blocks the process: between queries, other requests get their turn. */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Reads a company's rows of a table page by page, in the order of their keys; those of a feed or a queue in its order.
 * @param of.withKnown of slots: each with the state of the field that it follows, as this region knows it
 */
export async function* pagesOf(
  reader: Reader,
  shape: TableShape,
  of: { companyId: string; withKnown?: boolean },
): AsyncGenerator<Row[]> {
  const withKnown = of.withKnown === true && shape.name === 'slot_values';
  const key = sql.join(shape.key.map((name) => sql.ref(name)));
  const columns = sql.join(shape.columns.map(({ name }) => sql.ref(name)));
  const empty = new Set(shape.emptiedPlaces);
  for (const part of await partsOf(reader, shape, of.companyId)) {
    const column = sql.ref(shape.feed ?? shape.owner);
    for (let after: Row | undefined; ; ) {
      await yieldToEventLoop();
      const query = sql<StoredRow>`
        select ${columns} from ${sql.table(shape.name)} where ${column} = ${part}
        ${after === undefined ? sql`` : sql`and (${key}) > (${sql.join([...after])})`}
        order by ${key} limit ${sql.lit(shape.page)}
      `;
      const { rows } = await (withKnown ? withFields(query, key) : query).execute(reader as Writer);
      yield rows.map((row) => [
        ...shape.columns.map(({ name }, place) => (empty.has(place) ? null : (row[name] ?? null))),
        ...(withKnown ? KNOWN.map((name) => row[`known_${name}`] ?? null) : []),
      ]);
      const last = rows.at(-1);
      if (last === undefined || rows.length < shape.page) break;
      after = shape.key.map((name) => last[name] ?? null);
    }
  }
}

type StoredRow = Record<string, string | number | null>;

function withFields(slots: RawBuilder<StoredRow>, key: RawBuilder<unknown>): RawBuilder<StoredRow> {
  const columns = KNOWN.map((name) => sql`fields.${sql.ref(name)} as ${sql.ref(`known_${name}`)}`);
  return sql<StoredRow>`
    select slots.*, ${sql.join(columns)} from (${slots}) as slots
    left join connections on connections.id = slots.connection_id
    left join person_fields as fields on fields.person_id = connections.customer_id
      and fields.id = slots.field_id and slots.live = 1
    order by ${key}
  `;
}

/** A field that moved slots follow: as the source knew it, and as this region knows it. */
export interface FieldState {
  person_id: string;
  /** The home region of the person; null: here. */
  home: string | null;
  field_id: string;
  known_version: number;
  known_private: 0 | 1;
  known_updated_at: number;
  known_verification: string | null;
  /** Null when this region does not know the field. */
  version: number | null;
  private: 0 | 1 | null;
  updated_at: number | null;
  verification: string | null;
}

/** The fields that this region knows otherwise than the source. Their people are locked, so none changes before the commit. */
export async function differingFields(
  engine: Engine,
  writer: Writer,
  shape: TableShape,
  { moveId, companyId, chunks }: { moveId: string; companyId: string; chunks: number },
): Promise<FieldState[]> {
  const found: FieldState[] = [];
  if (engine === 'postgres') {
    await sql`
      select id from persons where id in (
        select customer_id from connections where company_id = ${companyId} and customer_type = 'person')
      order by id for share
    `.execute(writer);
  }
  const place = (name: string) => shape.columns.findIndex((column) => column.name === name);
  const known = (name: (typeof KNOWN)[number]) => shape.columns.length + KNOWN.indexOf(name);
  const numeric = ['version', 'private', 'updated_at'] as const;
  const inChunk = (chunk: number) => sql<FieldState>`
    select distinct persons.id as person_id, persons.region as home, slots.field_id,
      ${sql.join(KNOWN.map((name) => sql`slots.${sql.ref(`known_${name}`)}`))},
      ${sql.join(KNOWN.map((name) => sql`fields.${sql.ref(name)}`))}
    from (
      select ${stagedValue(engine, 'text', place('connection_id'))} as connection_id,
        ${stagedValue(engine, 'text', place('field_id'))} as field_id,
        ${sql.join(numeric.map((name) => sql`${stagedValue(engine, 'int8', known(name))} as ${sql.ref(`known_${name}`)}`))},
        ${stagedValue(engine, 'text', known('verification'))} as known_verification
      from ${stagedRows(engine)}
      where company_arrival_chunks.move_id = ${moveId} and company_arrival_chunks.table_name = ${shape.name}
        and company_arrival_chunks.chunk = ${chunk}
    ) as slots
    inner join connections on connections.id = slots.connection_id
    inner join persons on persons.id = connections.customer_id
    left join person_fields as fields on fields.person_id = persons.id and fields.id = slots.field_id
    where slots.known_version is not null and (fields.id is null or fields.version <> slots.known_version
      or fields.private <> slots.known_private or fields.verification is distinct from slots.known_verification)
  `;
  for (let chunk = 1; chunk <= chunks; chunk++) {
    await yieldToEventLoop();
    found.push(...(await inChunk(chunk).execute(writer)).rows);
  }
  // A field may have several slots.
  return [...new Map(found.map((state) => [`${state.person_id} ${state.field_id}`, state])).values()];
}

function stagedValue(engine: Engine, type: string, place: number): RawBuilder<unknown> {
  if (engine === 'sqlite') return sql`json_extract(staged.value, ${sql.lit(`$[${place}]`)})`;
  const text = sql`(staged.value ->> ${sql.lit(place)})`;
  return type === 'text' ? text : sql`${text}::bigint`;
}

function stagedRows(engine: Engine): RawBuilder<unknown> {
  return engine === 'sqlite'
    ? sql`company_arrival_chunks, json_each(company_arrival_chunks.content) as staged`
    : sql`company_arrival_chunks, jsonb_array_elements(company_arrival_chunks.content::jsonb) as staged(value)`;
}

/** The values of the column by which a table is read: its feeds or queues, or the company. */
async function partsOf(reader: Reader, shape: TableShape, companyId: string): Promise<string[]> {
  if (shape.feed === undefined) return [companyId];
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
 * Inserts the staged rows of a table, chunk by chunk. Chunks are numbered in the order of the rows, so the events of a queue
 * get new places in the old order.
 * @param chunks how many chunks belong to this attempt; an earlier one may have left more
 */
export async function insertStaged(
  engine: Engine,
  writer: Writer,
  shape: TableShape,
  { moveId, chunks }: { moveId: string; chunks: number },
): Promise<void> {
  const stored = shape.columns.flatMap((column, place) =>
    // The database assigns the places in a queue.
    shape.feed !== undefined && column.name === 'seq' ? [] : [{ ...column, place }],
  );
  const columns = sql.join(stored.map(({ name }) => sql.ref(name)));
  const values = sql.join(stored.map(({ type, place }) => stagedValue(engine, type, place)));
  const seq = shape.columns.findIndex((column) => column.name === 'seq');
  const order = shape.feed === undefined ? sql`` : sql`order by ${stagedValue(engine, 'int8', seq)}`;
  for (let chunk = 1; chunk <= chunks; chunk++) {
    await yieldToEventLoop();
    await sql`
      insert into ${sql.table(shape.name)} (${columns}) select ${values} from ${stagedRows(engine)}
      where company_arrival_chunks.move_id = ${moveId} and company_arrival_chunks.table_name = ${shape.name}
        and company_arrival_chunks.chunk = ${chunk}
      ${order}
    `.execute(writer);
  }
}

/** Deletes all of a company's rows of these tables, on PostgreSQL in one round trip. */
export async function deleteRows(
  engine: Engine,
  writer: Writer,
  shapes: readonly CompanyTable[],
  companyId: string,
): Promise<void> {
  const id = literalId(companyId);
  const statements = shapes.map(
    ({ name, owner }) => sql`delete from ${sql.table(name)} where ${sql.ref(owner)} = ${id}`,
  );
  await executeAll(engine, writer, statements);
}

/** The tables in which a company has rows. */
export async function filledTables(
  reader: Reader,
  shapes: readonly CompanyTable[],
  companyId: string,
): Promise<ReadonlySet<string>> {
  const each = shapes.map(
    ({ name, owner }) =>
      sql`select ${sql.lit(name)} as name where exists (select 1 from ${sql.table(name)} where ${sql.ref(owner)} = ${companyId})`,
  );
  const { rows } = await sql<{ name: string }>`${sql.join(each, sql` union all `)}`.execute(reader as Writer);
  return new Set(rows.map(({ name }) => name));
}

/** What a step deleted, and where the next goes on; undefined when nothing is left. */
interface SomeDeleted {
  readonly rows: number;
  readonly next: number | undefined;
}

/** Deletes some of a company's rows of a table whose key begins with the company. */
export async function deleteSomeRows(
  engine: Engine,
  writer: Writer,
  shape: TableShape,
  companyId: string,
  most: number,
): Promise<SomeDeleted> {
  const rows = await deleteChunk(engine, writer, { table: shape, column: shape.owner }, companyId, most);
  return { rows, next: rows < most ? undefined : 0 };
}

/** A row that is passed over costs this much less than one that is deleted. */
const PASSED_FOR_ONE = 10;

/**
 * Deletes a company's rows among the next ones of a feed or a queue. There is no index of these by company, for a row would
 * pay for it and a move is rare; their feeds are no longer known here.
 */
export async function deleteBehind(
  writer: Writer,
  shape: TableShape,
  companyId: string,
  { after, most }: { after: number; most: number },
): Promise<SomeDeleted> {
  const table = sql.table(shape.name);
  const { rows: found } = await sql<{ seq: number }>`
    select seq from ${table} where seq > ${after} order by seq limit 1 offset ${sql.lit(most * PASSED_FOR_ONE)}
  `.execute(writer);
  const upto = found[0]?.seq;
  const { rows } = await sql<{ seq: number }>`
    select seq from ${table} where ${sql.ref(shape.owner)} = ${companyId} and seq > ${after}
    ${upto === undefined ? sql`` : sql`and seq <= ${upto}`} order by seq limit ${sql.lit(most)}
  `.execute(writer);
  const last = rows.at(-1)?.seq;
  if (last !== undefined) {
    await sql`
      delete from ${table} where ${sql.ref(shape.owner)} = ${companyId} and seq > ${after} and seq <= ${last}
    `.execute(writer);
  }
  // A step that has passed over its share was as long as any.
  return { rows: upto === undefined ? rows.length : most, next: rows.length === most ? last : upto };
}
