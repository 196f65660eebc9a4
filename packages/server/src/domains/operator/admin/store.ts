import type { CompanyLevel } from '@symbolon/protocol';
import { sql } from 'kysely';
import { updateBy } from '../../../db/by-key.ts';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inList, listParameter } from '../../../db/lists.ts';
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

/** By their ids. */
export async function companyNames(
  engine: Engine,
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await reader
    .selectFrom('companies')
    .select(['id', 'name'])
    .where(inList(engine, 'id', listParameter(engine, ids)))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
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
  await updateBy(writer, 'companies', { id: companyId }, { level });
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

/** When the oldest event of all queues of webhooks was raised. */
export async function oldestWebhookEvent(reader: Reader): Promise<number | null> {
  const row = await reader
    .selectFrom('webhook_events')
    .select('at')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
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

/** Names of the migrations that made the schema. */
export async function migrationsRun(reader: Reader): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(
    reader as Writer,
  );
  return rows.map((row) => row.name);
}
