import { sql } from 'kysely';
import type { Reader, Writer } from '../../../db/database.ts';
import type { CompanyRow } from '../../identity/portal/tables.ts';
import { movedRegistration } from './company-tables.ts';
import type { CompanyMoveChunkRow, CompanyMoveRow } from './tables.ts';

/** False when a move of the company is under way. */
export async function insertMove(writer: Writer, row: CompanyMoveRow): Promise<boolean> {
  const result = await writer
    .insertInto('company_moves')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export async function moveById(reader: Reader, id: string): Promise<CompanyMoveRow | undefined> {
  return reader.selectFrom('company_moves').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The present or last move of a company away from here. */
export async function lastMoveOf(reader: Reader, companyId: string): Promise<CompanyMoveRow | undefined> {
  return reader
    .selectFrom('company_moves')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The newest first. */
export async function movePage(
  reader: Reader,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; rows: CompanyMoveRow[] }> {
  const { total } = await reader
    .selectFrom('company_moves')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await reader
    .selectFrom('company_moves')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  return { total: Number(total), rows };
}

/** Moves that are not at their end, oldest first. */
export async function unfinishedMoves(reader: Reader): Promise<CompanyMoveRow[]> {
  return reader
    .selectFrom('company_moves')
    .selectAll()
    .where('finished_at', 'is', null)
    .orderBy('id')
    .execute();
}

/** Takes a move in hand for an instance, unless a living one has it; gives the row as it then is. */
export async function takeMove(
  writer: Writer,
  id: string,
  { worker, now, until }: { worker: string; now: number; until: number },
): Promise<CompanyMoveRow | undefined> {
  return writer
    .updateTable('company_moves')
    .set({ worker, worker_until: until })
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .where((eb) =>
      eb.or([eb('worker', 'is', null), eb('worker', '=', worker), eb('worker_until', '<=', now)]),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Changes a move that is still in the state and in the hands it was read in; undefined when it is not. */
export async function changeMove(
  writer: Writer,
  { id, state, worker }: Pick<CompanyMoveRow, 'id' | 'state' | 'worker'>,
  changes: Partial<CompanyMoveRow>,
): Promise<CompanyMoveRow | undefined> {
  return writer
    .updateTable('company_moves')
    .set(changes)
    .where('id', '=', id)
    .where('state', '=', state)
    .where('worker', worker === null ? 'is' : '=', worker)
    .returningAll()
    .executeTakeFirst();
}

/** Asks for a move to be undone, unless it is too late. */
export async function wantUndo(
  writer: Writer,
  id: string,
  states: readonly CompanyMoveRow['state'][],
  now: number,
): Promise<CompanyMoveRow | undefined> {
  return writer
    .updateTable('company_moves')
    .set({ undo_wanted: 1, retry_at: null, updated_at: now })
    .where('id', '=', id)
    .where('state', 'in', states)
    .returningAll()
    .executeTakeFirst();
}

export async function chunksOf(
  reader: Reader,
  moveId: string,
  table: string,
): Promise<CompanyMoveChunkRow[]> {
  return reader
    .selectFrom('company_move_chunks')
    .selectAll()
    .where('move_id', '=', moveId)
    .where('table_name', '=', table)
    .orderBy('chunk')
    .execute();
}

export async function putChunk(writer: Writer, row: CompanyMoveChunkRow): Promise<void> {
  await writer
    .insertInto('company_move_chunks')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['move_id', 'table_name', 'chunk'])
        .doUpdateSet({ part: row.part, upto: row.upto, rows: row.rows, sha256: row.sha256 }),
    )
    .execute();
}

export async function deleteChunks(writer: Writer, moveId: string): Promise<void> {
  await writer.deleteFrom('company_move_chunks').where('move_id', '=', moveId).execute();
}

export async function companyById(reader: Reader, id: string): Promise<CompanyRow | undefined> {
  return reader.selectFrom('companies').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Companies by where they are at home; null: here. */
export async function companiesByRegion(
  reader: Reader,
): Promise<{ region: string | null; companies: number }[]> {
  const rows = await reader
    .selectFrom('companies')
    .select((eb) => ['region', eb.fn.countAll<number>().as('companies')])
    .groupBy('region')
    .execute();
  return rows.map((row) => ({ region: row.region, companies: Number(row.companies) }));
}

export async function isBeingDeleted(reader: Reader, companyId: string): Promise<boolean> {
  const row = await reader
    .selectFrom('company_deletions')
    .select('company_id')
    .where('company_id', '=', companyId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Field types that rows of the company name, and blobs. */
export async function needsOf(reader: Reader, companyId: string) {
  const types = new Set<string>();
  for (const table of ['request_fields', 'share_fields', 'contact_fields', 'contact_data'] as const) {
    const rows = await reader
      .selectFrom(table)
      .select('type')
      .distinct()
      .where('company_id', '=', companyId)
      .execute();
    for (const row of rows) types.add(row.type);
  }
  const photos = await reader
    .selectFrom('photos')
    .select(['hash', 'thumb_hash'])
    .where('company_id', '=', companyId)
    .execute();
  const blobs = new Set(photos.flatMap((photo) => [photo.hash, photo.thumb_hash]));
  return { types: [...types].sort(), blobs: [...blobs].sort() };
}

/** What of the company is encrypted under the server's key-encryption key. */
export async function sealedTexts(reader: Reader, companyId: string): Promise<string[]> {
  const company = await companyById(reader, companyId);
  const webhooks = await reader
    .selectFrom('webhooks')
    .select('secrets')
    .where('company_id', '=', companyId)
    .execute();
  const logins = await reader
    .selectFrom('portal_logins')
    .select('totp_secret')
    .where('company_id', '=', companyId)
    .execute();
  return [
    ...(company === undefined ? [] : [company.account_private_key]),
    ...webhooks.map((row) => row.secrets),
    ...logins.flatMap((row) => (row.totp_secret === null ? [] : [row.totp_secret])),
  ];
}

/** Whether a photo of the company names a blob. */
export async function namesBlob(reader: Reader, companyId: string, hash: string): Promise<boolean> {
  const row = await reader
    .selectFrom('photos')
    .select('id')
    .where('company_id', '=', companyId)
    .where((eb) => eb.or([eb('hash', '=', hash), eb('thumb_hash', '=', hash)]))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** How much of each queue was parked, where not all of it is: so many of its oldest rows. */
export async function parkedRows(reader: Reader, companyId: string): Promise<Record<string, number>> {
  const rows = await reader
    .selectFrom('webhooks')
    .select((eb) => [
      'webhooks.id',
      eb
        .selectFrom('webhook_events')
        .select((of) => of.fn.countAll<number>().as('count'))
        .whereRef('webhook_events.webhook_id', '=', 'webhooks.id')
        .whereRef('webhook_events.seq', '<=', 'webhooks.parked_through')
        .as('parked'),
    ])
    .where('company_id', '=', companyId)
    .where('parked_through', '>', 0)
    .where('parked_through', '<', Number.MAX_SAFE_INTEGER)
    .execute();
  return Object.fromEntries(rows.map((row) => [row.id, Number(row.parked ?? 0)]));
}

/** Slots that are dealt with at once: on SQLite nobody else has their turn meanwhile. */
const SLOTS_AT_ONCE = 3000;

/** A stretch of a company's slots, by their connections; both ends open. */
export interface SlotRange {
  readonly after: string;
  /** Undefined: to the end. */
  readonly upto: string | undefined;
}

/** Cuts a company's slots into stretches. */
export async function* slotRanges(reader: Reader, companyId: string): AsyncGenerator<SlotRange> {
  for (let after = ''; ; ) {
    const row = await reader
      .selectFrom('slot_values')
      .select('connection_id')
      .where('company_id', '=', companyId)
      .where('connection_id', '>', after)
      .orderBy('connection_id')
      .limit(1)
      .offset(SLOTS_AT_ONCE)
      .executeTakeFirst();
    yield { after, upto: row?.connection_id };
    if (row === undefined) return;
    after = row.connection_id;
  }
}

/** Whether a slot is in a stretch, as a condition on `slot_values`. */
export const inRange = (companyId: string, { after, upto }: SlotRange) => sql`
  slot_values.company_id = ${companyId} and slot_values.connection_id > ${after}
  ${upto === undefined ? sql`` : sql`and slot_values.connection_id <= ${upto}`}
`;

/**
 * Registers the live slots that people at home here have with the company, for the time when it is elsewhere. They are
 * known by what they are, so that the other side need not be told.
 */
export async function registerSlots(
  writer: Writer,
  companyId: string,
  range: SlotRange,
  now: number,
): Promise<void> {
  await sql`
    insert into remote_slots (person_id, field_id, registration, company_id, service_id, connection_id,
      request_field_id, slug, service_public_key, mandatory, registered_at)
    select connections.customer_id, slot_values.field_id,
      ${sql.raw(movedRegistration('slot_values.connection_id', 'slot_values.request_field_id'))},
      slot_values.company_id, connections.service_id, slot_values.connection_id, slot_values.request_field_id,
      request_fields.slug, services.public_key,
      case when request_fields.audience = 'company' then 0 else request_fields.mandatory_connected end, ${sql.lit(now)}
    from slot_values
    inner join connections on connections.id = slot_values.connection_id
    inner join persons on persons.id = connections.customer_id and persons.region is null
    inner join services on services.id = connections.service_id
    inner join request_fields on request_fields.company_id = slot_values.company_id
      and request_fields.service_id = connections.service_id and request_fields.id = slot_values.request_field_id
    where ${inRange(companyId, range)} and slot_values.live = 1 and slot_values.field_id is not null
  `.execute(writer);
}

export async function dropRegistrations(writer: Writer, companyId: string): Promise<void> {
  await writer.deleteFrom('remote_slots').where('company_id', '=', companyId).execute();
}

/** Notes the sessions that end here and go on elsewhere. */
export async function departSessions(writer: Writer, companyId: string): Promise<void> {
  await writer.deleteFrom('departed_sessions').where('company_id', '=', companyId).execute();
  await writer
    .insertInto('departed_sessions')
    .columns(['token_hash', 'company_id', 'expires_at'])
    .expression((eb) =>
      eb
        .selectFrom('portal_sessions')
        .select(['token_hash', 'company_id', 'expires_at'])
        .where('company_id', '=', companyId),
    )
    .execute();
}

export async function departedCompany(reader: Reader, tokenHash: string): Promise<string | undefined> {
  const row = await reader
    .selectFrom('departed_sessions')
    .select('company_id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst();
  return row?.company_id;
}

export async function deleteDeparted(writer: Writer, before: number): Promise<void> {
  await writer.deleteFrom('departed_sessions').where('expires_at', '<=', before).execute();
}

/** Leaves of a company what every region knows of it. */
export async function makeCard(
  writer: Writer,
  companyId: string,
  home: { region: string; version: number },
): Promise<void> {
  await writer
    .updateTable('companies')
    .set({
      email: companyId,
      account_private_key: '',
      recovery_public_key: '',
      recovery_private_key: '',
      region: home.region,
      card_version: home.version,
    })
    .where('id', '=', companyId)
    .execute();
}

export async function setLifted(writer: Writer, moveId: string, lifted: 0 | 1): Promise<void> {
  await writer.updateTable('company_moves').set({ lifted }).where('id', '=', moveId).execute();
}

export async function webhookIdsOf(reader: Reader, companyId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('webhooks')
    .select('id')
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

export async function serviceIdsOf(reader: Reader, companyId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('services')
    .select('id')
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}
