import { sql } from 'kysely';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { movedRegistration } from './company-tables.ts';
import { inRange, slotRanges } from './store.ts';
import { breath } from './table-store.ts';
import type { CompanyArrivalRow } from './tables.ts';

/** The arrival of a move; on PostgreSQL its row is locked, so that what is done with it is done one after the other. */
export async function lockedArrival(
  engine: Engine,
  writer: Writer,
  id: string,
): Promise<CompanyArrivalRow | undefined> {
  const query = writer.selectFrom('company_arrivals').selectAll().where('id', '=', id);
  return (engine === 'sqlite' ? query : query.forUpdate()).executeTakeFirst();
}

export async function arrivalById(reader: Reader, id: string): Promise<CompanyArrivalRow | undefined> {
  return reader.selectFrom('company_arrivals').selectAll().where('id', '=', id).executeTakeFirst();
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

/** Whether a company is arriving here, by another move than this. */
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

/** Whether the source of its last move here has not finished that yet. */
export async function isArriving(reader: Reader, companyId: string): Promise<boolean> {
  return arrivesOtherwise(reader, companyId, '');
}

/** Whether a company that left is still being cleared away here. */
export async function isLeaving(reader: Reader, companyId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('company_moves')
    .select('id')
    .where('company_id', '=', companyId)
    .where('finished_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Arrivals that nothing was done about since a moment, and that are not at their end. */
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

export async function stage(
  writer: Writer,
  row: { move_id: string; table_name: string; chunk: number; content: string },
): Promise<void> {
  await writer
    .insertInto('company_arrival_chunks')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['move_id', 'table_name', 'chunk']).doUpdateSet({ content: row.content }),
    )
    .execute();
}

export async function deleteStaged(writer: Writer, moveId: string): Promise<void> {
  await writer.deleteFrom('company_arrival_chunks').where('move_id', '=', moveId).execute();
}

/** The customers of a company whom this region does not know yet. */
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
  await writer
    .updateTable('companies')
    .set({ region: null, card_version: version })
    .where('id', '=', companyId)
    .execute();
}

/**
 * Slots of people at home here follow their fields from now on without being registered; those of people whose home the
 * company left are registered there, under what the source made up for them.
 */
export async function settleRegistrations(
  writer: Writer,
  companyId: string,
  fromRegion: string,
): Promise<void> {
  await writer.deleteFrom('remote_slots').where('company_id', '=', companyId).execute();
  const homeIs = (region: string | null) => sql`
    exists (select 1 from connections
      inner join persons on persons.id = connections.customer_id
        and persons.region ${region === null ? sql`is null` : sql`= ${region}`}
      where connections.id = slot_values.connection_id)
  `;
  for await (const range of slotRanges(writer, companyId)) {
    await breath();
    await sql`
      update slot_values set registration = null
      where ${inRange(companyId, range)} and registration is not null and ${homeIs(null)}
    `.execute(writer);
    await sql`
      update slot_values set registration = ${sql.raw(movedRegistration('connection_id', 'request_field_id'))}
      where ${inRange(companyId, range)} and live = 1 and field_id is not null and ${homeIs(fromRegion)}
    `.execute(writer);
  }
}

/** Parks the oldest rows of a queue, so many as were parked where it comes from. */
export async function parkThrough(writer: Writer, webhookId: string, rows: number): Promise<void> {
  const last =
    rows === 0
      ? undefined
      : await writer
          .selectFrom('webhook_events')
          .select('seq')
          .where('webhook_id', '=', webhookId)
          .orderBy('seq')
          .limit(1)
          .offset(rows - 1)
          .executeTakeFirst();
  await writer
    .updateTable('webhooks')
    .set({ parked_through: last?.seq ?? 0 })
    .where('id', '=', webhookId)
    .execute();
}

/** Sessions that had left and are back. */
export async function deleteDepartedOf(writer: Writer, companyId: string): Promise<void> {
  await writer.deleteFrom('departed_sessions').where('company_id', '=', companyId).execute();
}

export async function photoBlobs(reader: Reader, companyId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('photos')
    .select(['hash', 'thumb_hash'])
    .where('company_id', '=', companyId)
    .execute();
  return rows.flatMap((row) => [row.hash, row.thumb_hash]);
}
