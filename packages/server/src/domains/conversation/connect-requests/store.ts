import type { CompanyLevel } from '@symbolon/protocol';
import { sql } from 'kysely';
import { deleteBy, updateBy } from '../../../db/by-key.ts';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inOrderMost } from '../../../db/in-order.ts';
import { inList, listParameter } from '../../../db/lists.ts';
import { prepared, preparedInsert } from '../../../db/prepared.ts';
import { count, exists, timeOfNth } from '../../../db/rows.ts';
import { unindexed } from '../../../db/unindexed.ts';
import type { BlockedServiceRow, ConnectRequestRow } from './tables.ts';

/** Who has a share code; of a person, where they are at home (null: here). */
interface Sought {
  readonly kind: 'person' | 'company';
  readonly subject_id: string;
  readonly region: string | null;
}

export const soughtBy = prepared<[code: string], Sought>((db, [code]) =>
  db
    .selectFrom('share_codes')
    .leftJoin('persons', 'persons.id', 'share_codes.subject_id')
    .select(['share_codes.kind', 'share_codes.subject_id', 'persons.region'])
    .where('share_codes.code', '=', code)
    // The codes of people who deleted their accounts stay.
    .where('persons.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('kind', '=', 'company'), eb('persons.id', 'is not', null)])),
);

interface Asked {
  readonly serviceId: string;
  readonly personId: string;
}

export function isConnected(reader: Reader, { serviceId, personId }: Asked): Promise<boolean> {
  return exists(
    reader
      .selectFrom('connections')
      .select('id')
      .where('service_id', '=', serviceId)
      .where('customer_id', '=', personId),
  );
}

export const insertRequest = preparedInsert('connect_requests', [
  'company_id',
  'service_id',
  'id',
  'person_id',
  'state',
  'created_at',
  'expires_at',
]);

const between = (reader: Reader, { serviceId, personId }: Asked) =>
  reader.selectFrom('connect_requests').where('person_id', '=', personId).where('service_id', '=', serviceId);

/** What a service has asked, newest first, with the codes that the people are known by. */
export function askedBy(
  reader: Reader,
  { companyId, serviceId }: { companyId: string; serviceId: string },
  { before, most }: { before: string | undefined; most: number },
): Promise<(ConnectRequestRow & { share_code: string })[]> {
  let rows = reader
    .selectFrom('connect_requests as request')
    .innerJoin('persons', 'persons.id', 'request.person_id')
    .selectAll('request')
    .select('persons.share_code')
    .where('request.company_id', '=', companyId)
    .where('request.service_id', '=', serviceId);
  if (before) rows = rows.where('request.id', '<', before);
  return rows.orderBy('request.id', 'desc').limit(inOrderMost(most)).execute();
}

/** The request of a service that waits for a person. */
export async function openRequest(reader: Reader, asked: Asked): Promise<ConnectRequestRow | undefined> {
  return between(reader, asked).selectAll().where('state', '=', 'open').executeTakeFirst();
}

/** When a service sent the request to a person that so many lead up to, counted from the newest; 0 where there are fewer. */
export function timeOfRequest(reader: Reader, asked: Asked, count: number): Promise<number> {
  return timeOf(between(reader, asked), count);
}

/** The same of all services of a company. */
export function timeOfCompanyRequest(
  reader: Reader,
  { companyId, personId }: { companyId: string; personId: string },
  count: number,
): Promise<number> {
  const rows = reader
    .selectFrom('connect_requests')
    .where('person_id', '=', personId)
    .where(unindexed('company_id'), '=', companyId);
  return timeOf(rows, count);
}

const timeOf = async (rows: ReturnType<typeof between>, count: number) =>
  (await timeOfNth(rows, 'created_at', count)) ?? 0;

/** How many requests wait for a person, who sees them: not of services that are blocked, which would take all places for good. */
export function openOf(reader: Reader, personId: string, now: number): Promise<number> {
  return count(
    reader
      .selectFrom('connect_requests')
      .where('person_id', '=', personId)
      .where(unindexed('state'), '=', 'open')
      .where('expires_at', '>', now)
      .where(unindexed('service_id'), 'not in', (eb) =>
        eb.selectFrom('blocked_services').select('service_id').where('person_id', '=', personId),
      ),
  );
}

export async function decideRequest(
  writer: Writer,
  { company_id, service_id, id }: Pick<ConnectRequestRow, 'company_id' | 'service_id' | 'id'>,
  state: 'accepted' | 'rejected',
): Promise<void> {
  await updateBy(writer, 'connect_requests', { company_id, service_id, id }, { state });
}

/** The ids of what waits for a person, whether it is shown or not. */
export async function openIds(reader: Reader, personId: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('connect_requests')
    .select('id')
    .where('person_id', '=', personId)
    .where(unindexed('state'), '=', 'open')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** A request with what its person sees of the service, and what the service knows the person by. */
export interface ListedRequest extends ConnectRequestRow {
  readonly service_name: string;
  readonly service_code: string;
  readonly company_name: string;
  readonly company_code: string;
  readonly company_level: CompanyLevel;
  readonly company_since: number;
  readonly share_code: string;
  readonly region: string | null;
}

/** A request is at the home of its company; those of a deleted service are still being removed. */
const listed = (reader: Reader) =>
  reader
    .selectFrom('connect_requests as request')
    .innerJoin('services', 'services.id', 'request.service_id')
    .innerJoin('companies', 'companies.id', 'request.company_id')
    .innerJoin('persons', 'persons.id', 'request.person_id')
    .selectAll('request')
    .select([
      'services.name as service_name',
      'services.share_code as service_code',
      'companies.name as company_name',
      'companies.code as company_code',
      'companies.level as company_level',
      'companies.created_at as company_since',
      'persons.share_code',
      'persons.region',
    ])
    .where('companies.region', 'is', null);

/** The open requests of services that the person has not blocked, oldest first. */
export function requestsOf(reader: Reader, personId: string, now: number): Promise<ListedRequest[]> {
  return listed(reader)
    .where('request.person_id', '=', personId)
    .where(unindexed('request.state'), '=', 'open')
    .where('request.expires_at', '>', now)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('blocked_services as blocked')
            .select('blocked.created_at')
            .where('blocked.person_id', '=', personId)
            .whereRef('blocked.service_id', '=', 'request.service_id'),
        ),
      ),
    )
    .orderBy('request.id')
    .execute();
}

export function requestById(reader: Reader, id: string): Promise<ListedRequest | undefined> {
  return listed(reader).where('request.id', '=', id).executeTakeFirst();
}

/** Open requests whose time is over, the oldest first. */
export function expiredRequests(reader: Reader, now: number, most: number): Promise<ConnectRequestRow[]> {
  return (
    reader
      .selectFrom('connect_requests')
      .selectAll()
      // Spelt out, as in the index.
      .where('state', '=', sql.lit('open'))
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .limit(most)
      .execute()
  );
}

/** Rejects those of some requests that are open. */
export function rejectOpen(
  engine: Engine,
  writer: Writer,
  ids: readonly string[],
): Promise<ConnectRequestRow[]> {
  return writer
    .updateTable('connect_requests')
    .set({ state: 'rejected' })
    .where(inList(engine, 'id', listParameter(engine, ids)))
    .where('state', '=', 'open')
    .returningAll()
    .execute();
}

/** The codes that people are known by, by their ids. */
export async function codesOf(
  engine: Engine,
  reader: Reader,
  personIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await reader
    .selectFrom('persons')
    .select(['id', 'share_code'])
    .where(inList(engine, 'id', listParameter(engine, personIds)))
    .execute();
  return new Map(rows.map((row) => [row.id, row.share_code]));
}

export async function insertBlock(writer: Writer, row: BlockedServiceRow): Promise<void> {
  await writer
    .insertInto('blocked_services')
    .values(row)
    .onConflict((conflict) => conflict.columns(['company_id', 'service_id', 'person_id']).doNothing())
    .execute();
}

const blocks = (reader: Reader, personId: string) =>
  reader
    .selectFrom('blocked_services as blocked')
    .innerJoin('services', 'services.id', 'blocked.service_id')
    .innerJoin('companies', 'companies.id', 'blocked.company_id')
    .where('companies.region', 'is', null)
    .where('blocked.person_id', '=', personId);

export function isBlocked(reader: Reader, { serviceId, personId }: Asked): Promise<boolean> {
  return exists(
    blocks(reader, personId).select('blocked.created_at').where('blocked.service_id', '=', serviceId),
  );
}

/** A service that a person has blocked. */
export interface ListedBlock extends BlockedServiceRow {
  readonly service_name: string;
  readonly service_code: string;
  readonly company_name: string;
  readonly company_code: string;
}

export function blocksOf(reader: Reader, personId: string): Promise<ListedBlock[]> {
  return blocks(reader, personId)
    .selectAll('blocked')
    .select([
      'services.name as service_name',
      'services.share_code as service_code',
      'companies.name as company_name',
      'companies.code as company_code',
    ])
    .orderBy('blocked.service_id')
    .execute();
}

/** False when the service is not blocked. */
export function deleteBlock(writer: Writer, { serviceId, personId }: Asked): Promise<boolean> {
  return deleteBy(writer, 'blocked_services', { person_id: personId, service_id: serviceId });
}
