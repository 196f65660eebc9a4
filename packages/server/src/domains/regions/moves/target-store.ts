import { deleteBy, replacedBut, rowBy, updateBy } from '../../../db/by-key.ts';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import type { Chunk } from './destination.ts';
import type { CompanyArrivalRow } from './tables.ts';

/** The arrival of a move, locked on PostgreSQL: its requests run one after the other. */
export async function lockedArrival(
  engine: Engine,
  writer: Writer,
  id: string,
): Promise<CompanyArrivalRow | undefined> {
  const query = writer.selectFrom('company_arrivals').selectAll().where('id', '=', id);
  return (engine === 'sqlite' ? query : query.forUpdate()).executeTakeFirst();
}

export async function arrivalById(reader: Reader, id: string): Promise<CompanyArrivalRow | undefined> {
  return rowBy(reader, 'company_arrivals', { id });
}

export async function lastArrivalOf(
  reader: Reader,
  companyId: string,
): Promise<CompanyArrivalRow | undefined> {
  return reader
    .selectFrom('company_arrivals')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Whether the company is arriving here by another move. */
export async function arrivesOtherwise(reader: Reader, companyId: string, id: string): Promise<boolean> {
  const row = await reader
    .selectFrom('company_arrivals')
    .select('id')
    .where('company_id', '=', companyId)
    .where('id', '!=', id)
    .where('state', 'in', ['staging', 'active'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the company arrives here, or has arrived and the source has not finished yet. */
export async function isArriving(reader: Reader, companyId: string): Promise<boolean> {
  return arrivesOtherwise(reader, companyId, '');
}

/** Whether rows of a company that left are still being deleted here. */
export async function isLeaving(reader: Reader, companyId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('company_moves')
    .select('id')
    .where('company_id', '=', companyId)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Unfinished arrivals that did not change since `before`. */
export async function staleArrivals(reader: Reader, before: number): Promise<CompanyArrivalRow[]> {
  return reader
    .selectFrom('company_arrivals')
    .selectAll()
    .where('state', 'in', ['staging', 'active'])
    .where('updated_at', '<', before)
    .orderBy('id')
    .execute();
}

export async function putArrival(writer: Writer, row: CompanyArrivalRow): Promise<void> {
  const { state, attempt, updated_at } = row;
  await writer
    .insertInto('company_arrivals')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ state, attempt, updated_at }))
    .execute();
}

export async function stage(writer: Writer, moveId: string, chunks: readonly Chunk[]): Promise<void> {
  if (chunks.length === 0) return;
  const rows = chunks.map(({ table, ...chunk }) => ({ move_id: moveId, table_name: table, ...chunk }));
  const key = ['move_id', 'table_name', 'chunk'] as const;
  await writer
    .insertInto('company_arrival_chunks')
    .values(rows)
    .onConflict((conflict) => conflict.columns(key).doUpdateSet(replacedBut(rows, key)))
    .execute();
}

export async function deleteStaged(writer: Writer, moveId: string): Promise<void> {
  await deleteBy(writer, 'company_arrival_chunks', { move_id: moveId });
}

/** Number of enrolments whose person is still unknown in this region. */
export async function unknownEnrolled(reader: Reader, companyId: string): Promise<number> {
  const row = await reader
    .selectFrom('two_factor_enrolments as enrolled')
    .leftJoin('persons', 'persons.id', 'enrolled.person_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('enrolled.company_id', '=', companyId)
    .where('persons.id', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Number of connections whose customer is still unknown in this region. */
export async function unknownCustomers(reader: Reader, companyId: string): Promise<number> {
  const row = await reader
    .selectFrom('connections')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('company_id', '=', companyId)
    .where((eb) =>
      eb.not(
        eb.or([
          eb.exists(
            eb
              .selectFrom('persons')
              .select('persons.id')
              .whereRef('persons.id', '=', 'connections.customer_id'),
          ),
          eb.exists(
            eb
              .selectFrom('companies')
              .select('companies.id')
              .whereRef('companies.id', '=', 'connections.customer_id'),
          ),
        ]),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Makes the company one of this region. */
export async function takeHome(writer: Writer, companyId: string, version: number): Promise<void> {
  await updateBy(writer, 'companies', { id: companyId }, { region: null, card_version: version });
}

/** Parks the oldest rows of a queue, as many as were parked at the source. */
export async function parkThrough(writer: Writer, webhookId: string, rows: number): Promise<void> {
  const last =
    rows === 0
      ? undefined
      : await writer
          .selectFrom('webhook_events')
          .select('seq')
          .where('webhook_id', '>=', webhookId)
          .where('webhook_id', '<=', webhookId)
          .orderBy('webhook_id')
          .orderBy('seq')
          .limit(1)
          .offset(rows - 1)
          .executeTakeFirst();
  await updateBy(writer, 'webhooks', { id: webhookId }, { parked_through: last?.seq ?? 0 });
}

/** Sessions of a company that left earlier and comes back. */
export async function deleteDepartedOf(writer: Writer, companyId: string): Promise<void> {
  await deleteBy(writer, 'departed_sessions', { company_id: companyId });
}

export async function photoBlobs(reader: Reader, companyId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('photos')
    .select(['hash', 'thumb_hash'])
    .where('company_id', '=', companyId)
    .execute();
  return rows.flatMap((row) => [row.hash, row.thumb_hash]);
}
