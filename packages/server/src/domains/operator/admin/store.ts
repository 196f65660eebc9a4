import type { CompanyLevel } from '@symbolon/protocol';
import { sql } from 'kysely';
import { STORED_MARK } from '../../../core/secrets.ts';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inList, listParameter } from '../../../db/lists.ts';
import type { Table, TableName } from '../../../db/table-registry.ts';
import type { Tables } from '../../../db/tables.ts';

export type ListedCompany = Pick<
  Tables['companies'],
  'id' | 'name' | 'email' | 'code' | 'level' | 'created_at' | 'region'
> & {
  services: number;
  connections: number;
};

/** Companies with these ids; the oldest first. */
export async function listedCompanies(
  engine: Engine,
  reader: Reader,
  ids: readonly string[],
): Promise<ListedCompany[]> {
  const chosen = companies(reader).where(inList(engine, 'companies.id', listParameter(engine, ids)));
  const rows = await withCounts(chosen).orderBy('companies.id').execute();
  return rows.map(numbers);
}

export async function listedCompany(reader: Reader, id: string): Promise<ListedCompany | undefined> {
  const row = await withCounts(companies(reader).where('companies.id', '=', id)).executeTakeFirst();
  return row === undefined ? undefined : numbers(row);
}

const companies = (reader: Reader) => reader.selectFrom('companies');

function withCounts(query: ReturnType<typeof companies>) {
  return query.select((eb) => [
    'companies.id',
    'companies.name',
    'companies.email',
    'companies.code',
    'companies.level',
    'companies.created_at',
    'companies.region',
    eb
      .selectFrom('services')
      .select((of) => of.fn.countAll<number>().as('services'))
      .whereRef('services.company_id', '=', 'companies.id')
      .as('services'),
    eb
      .selectFrom('services')
      .select((of) => of.fn.sum<number>('services.connection_count').as('connections'))
      .whereRef('services.company_id', '=', 'companies.id')
      .as('connections'),
  ]);
}

function numbers<Row extends { services: unknown; connections: unknown }>(row: Row) {
  return { ...row, services: Number(row.services ?? 0), connections: Number(row.connections ?? 0) };
}

export async function setLevel(writer: Writer, companyId: string, level: CompanyLevel): Promise<void> {
  await writer.updateTable('companies').set({ level }).where('id', '=', companyId).execute();
}

const PERSON = ['id', 'display_name', 'email', 'share_code', 'created_at', 'region'] as const;
export type ListedPerson = Pick<Tables['persons'], (typeof PERSON)[number]>;

/** People with these ids; the oldest first. */
export async function listedPeople(
  engine: Engine,
  reader: Reader,
  ids: readonly string[],
): Promise<ListedPerson[]> {
  const chosen = reader.selectFrom('persons').select(PERSON).where('deleted_at', 'is', null);
  return chosen
    .where(inList(engine, 'id', listParameter(engine, ids)))
    .orderBy('id')
    .execute();
}

export async function listedPerson(reader: Reader, id: string): Promise<ListedPerson | undefined> {
  return reader
    .selectFrom('persons')
    .select(PERSON)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** When the oldest event of all feeds was raised. */
export async function oldestChange(reader: Reader): Promise<number | null> {
  const row = await reader.selectFrom('changes').select('at').orderBy('at').limit(1).executeTakeFirst();
  return row === undefined ? null : Number(row.at);
}

/** When the oldest event in these webhooks' queues was raised. */
export async function oldestQueued(
  engine: Engine,
  reader: Reader,
  webhookIds: readonly string[],
): Promise<number | null> {
  if (webhookIds.length === 0) return null;
  const oldest = reader
    .selectFrom('webhooks')
    .select((eb) =>
      eb
        .selectFrom('webhook_events')
        .select('webhook_events.at')
        .whereRef('webhook_events.webhook_id', '=', 'webhooks.id')
        .orderBy('webhook_events.at')
        .limit(1)
        .as('at'),
    )
    .where(inList(engine, 'webhooks.id', listParameter(engine, webhookIds)));
  const row = await reader
    .selectFrom(oldest.as('queues'))
    .select((eb) => eb.fn.min('queues.at').as('at'))
    .executeTakeFirst();
  return row?.at === null || row?.at === undefined ? null : Number(row.at);
}

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

/** Names of the migrations that made the schema. */
export async function migrationsRun(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    reader as Writer,
  );
  return rows.map((row) => row.name);
}
