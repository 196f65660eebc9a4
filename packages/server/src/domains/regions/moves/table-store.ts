import { type RawBuilder, sql } from 'kysely';
import type { Database, Engine, Reader, Writer } from '../../../db/database.ts';
import type { Table } from '../../../db/table-registry.ts';
import { type CompanyTable, movingTables } from './company-tables.ts';
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
      keyPlaces: placesOf(table.key),
      apartPlaces: placesOf(table.notCompared),
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
  readonly withKnown?: boolean;
}

/** How the fields that slots follow are known in this region, behind the columns of a slot that goes to another. */
const KNOWN = ['version', 'private', 'updated_at', 'verification'] as const;

/** Let others have their turn: on SQLite a query is done at once, and so would be thousands. */
export const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * @param stretch.withKnown for slots: each with the state of the field that it follows, as this region knows it
 */
export async function readStretch(reader: Reader, shape: TableShape, stretch: Stretch): Promise<Row[]> {
  const { companyId, part, after, upto, most } = stretch;
  const known = stretch.withKnown === true && shape.name === 'slot_values';
  const columns = sql.join(shape.columns.map(({ name }) => sql.ref(name)));
  const key = sql.join(shape.key.map((name) => sql.ref(name)));
  const limits: RawBuilder<unknown>[] = [
    shape.feed === undefined
      ? sql`${sql.ref(shape.owner)} = ${companyId}`
      : sql`${sql.ref(shape.feed)} = ${part}`,
  ];
  if (after !== undefined) limits.push(sql`(${key}) > (${sql.join([...after])})`);
  if (upto !== undefined) limits.push(sql`(${key}) <= (${sql.join([...upto])})`);
  const query = sql<StoredRow>`
    select ${columns} from ${sql.table(shape.name)}
    where ${sql.join(limits, sql` and `)} order by ${key}
    ${most === undefined ? sql`` : sql`limit ${sql.lit(most)}`}
  `;
  const { rows } = await (known ? withFields(query, key) : query).execute(reader as Writer);
  const empty = new Set(shape.emptiedPlaces);
  return rows.map((row) => [
    ...shape.columns.map(({ name }, place) => (empty.has(place) ? null : (row[name] ?? null))),
    ...(known ? KNOWN.map((name) => row[`known_${name}`] ?? null) : []),
  ]);
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

/** How a field that moved slots follow was known in the region they come from, and how it is known here. */
export interface FieldState {
  person_id: string;
  /** The home region of the person; null: here. */
  home: string | null;
  field_id: string;
  known_version: number;
  known_private: 0 | 1;
  known_updated_at: number;
  known_verification: string | null;
  /** Null when there is none of this id here. */
  version: number | null;
  private: 0 | 1 | null;
  updated_at: number | null;
  verification: string | null;
}

/** The fields that are not known here as they were there. The people whose fields they are change none until the commit. */
export async function fieldsApart(
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
    await breath();
    found.push(...(await inChunk(chunk).execute(writer)).rows);
  }
  // What has several slots is told of once.
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
 * Puts the staged rows of a table into it, stretch by stretch: the stretches of one queue are numbered in its order, so what
 * has a place in it gets a new one in the same order.
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
  const columns = sql.join(stored.map(({ name }) => sql.ref(name)));
  const values = sql.join(stored.map(({ type, place }) => stagedValue(engine, type, place)));
  const seq = shape.columns.findIndex((column) => column.name === 'seq');
  const order = shape.feed === undefined ? sql`` : sql`order by ${stagedValue(engine, 'int8', seq)}`;
  for (let chunk = 1; chunk <= chunks; chunk++) {
    await breath();
    await sql`
      insert into ${sql.table(shape.name)} (${columns}) select ${values} from ${stagedRows(engine)}
      where company_arrival_chunks.move_id = ${moveId} and company_arrival_chunks.table_name = ${shape.name}
        and company_arrival_chunks.chunk = ${chunk}
      ${order}
    `.execute(writer);
  }
}

/** Deletes all of a company's rows of a table. */
export async function deleteRows(writer: Writer, shape: CompanyTable, companyId: string): Promise<void> {
  await sql`delete from ${sql.table(shape.name)} where ${sql.ref(shape.owner)} = ${companyId}`.execute(
    writer,
  );
}
