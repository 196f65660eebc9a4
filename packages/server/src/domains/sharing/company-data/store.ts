import { type SqlBool, sql } from 'kysely';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inOrderMost } from '../../../db/in-order.ts';
import { inList, inListOf, listParameter } from '../../../db/lists.ts';
import type { NewestPaging } from '../../../db/page.ts';
import { prepared } from '../../../db/prepared.ts';
import { onRows } from '../../../db/recordset.ts';
import type { Flag } from '../../../db/tables.ts';
import { unindexed } from '../../../db/unindexed.ts';
import type { ServiceLogRow } from '../../operations/index.ts';
import type { RequestFieldRow } from '../../services/index.ts';
import { pendingRows } from '../connections/pending.ts';
import type { ConnectionRow, SlotValueRow } from '../connections/tables.ts';

/** A service, as every query here addresses it: the primary keys begin with its company. */
export interface ServiceRef {
  readonly companyId: string;
  readonly serviceId: string;
}

export const countersOf = prepared<
  [companyId: string, serviceId: string],
  { connection_count: number; connections_ended: number }
>((db, [companyId, serviceId]) =>
  db
    .selectFrom('services')
    .select(['connection_count', 'connections_ended'])
    .where('company_id', '=', companyId)
    .where('id', '=', serviceId),
);

/** A request row, as far as answers and consents need it. */
export interface RowName {
  id: string;
  slug: string;
  one_time: Flag;
}

/** In the order of the rows. */
export const rowNamesOf = prepared<[companyId: string, serviceId: string], RowName>(
  (db, [companyId, serviceId]) =>
    db
      .selectFrom('request_fields')
      .select(['id', 'slug', 'one_time'])
      .where('company_id', '=', companyId)
      .where('service_id', '=', serviceId)
      .orderBy('position'),
);

/** A request row, as far as it says who must answer it. */
export type AskedRow = Pick<
  RequestFieldRow,
  'id' | 'slug' | 'audience' | 'mandatory_provide' | 'mandatory_connected'
>;

export const askedRowsOf = prepared<[companyId: string, serviceId: string], AskedRow>(
  (db, [companyId, serviceId]) =>
    db
      .selectFrom('request_fields')
      .select(['id', 'slug', 'audience', 'mandatory_provide', 'mandatory_connected'])
      .where('company_id', '=', companyId)
      .where('service_id', '=', serviceId),
);

/** A connection with what its customer shows of itself. */
export interface ListedConnection extends ConnectionRow {
  person_name: string | null;
  person_code: string | null;
  company_name: string | null;
  company_code: string | null;
}

/** Connections with what is shown of their customers. */
function listed(db: Writer) {
  return db
    .selectFrom('connections')
    .leftJoin('persons', 'persons.id', 'connections.customer_id')
    .leftJoin('companies', 'companies.id', 'connections.customer_id')
    .selectAll('connections')
    .select([
      'persons.display_name as person_name',
      'persons.share_code as person_code',
      'companies.name as company_name',
      'companies.code as company_code',
    ]);
}

/** The connections after an id, oldest first. */
export const connectionsAfter = prepared<
  [companyId: string, serviceId: string, after: string, most: number],
  ListedConnection
>((db, [companyId, serviceId, after, most]) =>
  listed(db)
    .where('connections.company_id', '=', companyId)
    .where('connections.service_id', '=', serviceId)
    .where('connections.id', '>', after)
    .orderBy('connections.id')
    // A bare parameter would have SQLite plan the query again each time.
    .limit(sql<number>`${most} + 0`),
);

/** The connections before an id, newest first. */
export const connectionsBefore = prepared<
  [companyId: string, serviceId: string, before: string, most: number],
  ListedConnection
>((db, [companyId, serviceId, before, most]) =>
  listed(db)
    .where('connections.company_id', '=', companyId)
    .where('connections.service_id', '=', serviceId)
    .where('connections.id', '<', before)
    .orderBy('connections.id', 'desc')
    .limit(sql<number>`${most} + 0`),
);

/** A day, with the ids between which what was made on it stands. */
export interface DayOfIds {
  readonly company_id: string;
  readonly service_id: string;
  readonly day: string;
  readonly begin: string;
  readonly end: string;
}

/** Connections of a day that are counted: 30 days of as many are counted in some milliseconds. */
const COUNTED_MOST = 10_000;

/** PostgreSQL with old statistics takes another index of the service unless the whole key is compared; SQLite compares its parts. */
const OF_DAY = {
  sqlite: sql`company_id = days.company_id and service_id = days.service_id and id >= days.begin and id < days."end"`,
  postgres: sql`
    (company_id, service_id, id) >= (days.company_id, days.service_id, days.begin)
    and (company_id, service_id, id) < (days.company_id, days.service_id, days."end")
    order by company_id, service_id, id`,
};
const byDay = (engine: Engine) =>
  onRows<DayOfIds, { day: string; connected: number }>(
    'days',
    { company_id: 'text', service_id: 'text', day: 'text', begin: 'text', end: 'text' },
    (days) => sql`
      select day, (
        select count(*) from (
          select 1 from connections where ${OF_DAY[engine]} limit ${sql.lit(COUNTED_MOST)}
        ) as counted
      ) as connected
      from ${days}`,
  );

/** How many connections of each day stand, counted up to a number: only keys are read. */
export const connectionsByDay = { sqlite: byDay('sqlite'), postgres: byDay('postgres') };

/** The id at an offset after another: only the key is read. */
export const connectionIdAt = prepared<
  [companyId: string, serviceId: string, after: string, offset: number],
  { id: string }
>((db, [companyId, serviceId, after, offset]) =>
  db
    .selectFrom('connections')
    .select('id')
    .where('company_id', '=', companyId)
    .where('service_id', '=', serviceId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(sql.lit(1))
    .offset(sql<number>`${offset} + 0`),
);

/**
 * Whether connections are of a service, when their ids are known. Not as columns of an index: with old statistics PostgreSQL
 * would take that of the service, and walk all its connections.
 */
const ofService = (companyId: string, serviceId: string) =>
  sql<SqlBool>`${unindexed('connections.company_id')} = ${companyId} and ${unindexed('connections.service_id')} = ${serviceId}`;

export const listedConnection = prepared<
  [companyId: string, serviceId: string, id: string],
  ListedConnection
>((db, [companyId, serviceId, id]) =>
  listed(db).where('connections.id', '=', id).where(ofService(companyId, serviceId)),
);

const namedQuery = (engine: Engine) =>
  prepared<[companyId: string, serviceId: string, connectionIds: string], ListedConnection>(
    (db, [companyId, serviceId, connectionIds]) =>
      listed(db)
        .where(inList(engine, 'connections.id', connectionIds))
        .where(ofService(companyId, serviceId))
        .orderBy('connections.id'),
  );
const namedQueries = { sqlite: namedQuery('sqlite'), postgres: namedQuery('postgres') };

/** Those of the connections that have not ended, with what is shown of their customers. */
export function namedOf(
  engine: Engine,
  reader: Reader,
  { companyId, serviceId }: ServiceRef,
  connectionIds: readonly string[],
): Promise<ListedConnection[]> {
  return namedQueries[engine](reader, companyId, serviceId, listParameter(engine, connectionIds));
}

const standingQuery = (engine: Engine) =>
  prepared<[companyId: string, serviceId: string, connectionIds: string], { id: string }>(
    (db, [companyId, serviceId, connectionIds]) =>
      db
        .selectFrom('connections')
        .select('id')
        .where(inList(engine, 'id', connectionIds))
        .where(ofService(companyId, serviceId)),
  );
const standingQueries = { sqlite: standingQuery('sqlite'), postgres: standingQuery('postgres') };

/** Those of the connections that have not ended. */
export function standingOf(
  engine: Engine,
  reader: Reader,
  { companyId, serviceId }: ServiceRef,
  connectionIds: readonly string[],
): Promise<{ id: string }[]> {
  return standingQueries[engine](reader, companyId, serviceId, listParameter(engine, connectionIds));
}

export type SlotRow = Omit<SlotValueRow, 'company_id' | 'field_id'>;

const slotQuery = (engine: Engine) =>
  prepared<[companyId: string, connectionIds: string], SlotRow>((db, [companyId, connectionIds]) =>
    db
      .selectFrom('slot_values')
      .select(['connection_id', 'request_field_id', 'live', 'value', 'private', 'verification', 'updated_at'])
      .where(inListOf(engine, ['company_id', companyId], 'connection_id', connectionIds)),
  );
const slotQueries = { sqlite: slotQuery('sqlite'), postgres: slotQuery('postgres') };

export const slotValue = prepared<
  [companyId: string, connectionId: string, requestFieldId: string],
  Pick<SlotValueRow, 'value'>
>((db, [companyId, connectionId, requestFieldId]) =>
  db
    .selectFrom('slot_values')
    .select('value')
    .where('company_id', '=', companyId)
    .where('connection_id', '=', connectionId)
    .where('request_field_id', '=', requestFieldId),
);

const byteQuery = (engine: Engine) =>
  prepared<[companyId: string, connectionIds: string], { connection_id: string; bytes: number }>(
    (db, [companyId, connectionIds]) =>
      db
        .selectFrom('slot_values')
        .select(['connection_id', sql<number>`coalesce(sum(octet_length(value)), 0)`.as('bytes')])
        .where(inListOf(engine, ['company_id', companyId], 'connection_id', connectionIds))
        .groupBy('connection_id'),
  );
const byteQueries = { sqlite: byteQuery('sqlite'), postgres: byteQuery('postgres') };

/** How large the answers of many connections are; those without any are missing. */
export function answerBytesOf(
  engine: Engine,
  reader: Reader,
  companyId: string,
  connectionIds: readonly string[],
) {
  return byteQueries[engine](reader, companyId, listParameter(engine, connectionIds));
}

const answeredQuery = (engine: Engine) =>
  prepared<
    [companyId: string, connectionIds: string, rowIds: string],
    { connection_id: string; answers: number }
  >((db, [companyId, connectionIds, rowIds]) =>
    db
      .selectFrom('slot_values')
      .select(['connection_id', sql<number>`count(*)`.as('answers')])
      .where(inListOf(engine, ['company_id', companyId], 'connection_id', connectionIds))
      .where(inList(engine, 'request_field_id', rowIds))
      .groupBy('connection_id'),
  );
const answeredQueries = { sqlite: answeredQuery('sqlite'), postgres: answeredQuery('postgres') };

/** How many of some rows each connection has answered; those without any are missing. */
export function answeredOf(
  engine: Engine,
  reader: Reader,
  companyId: string,
  connectionIds: readonly string[],
  rowIds: readonly string[],
) {
  return answeredQueries[engine](
    reader,
    companyId,
    listParameter(engine, connectionIds),
    listParameter(engine, rowIds),
  );
}

/** The answers of many connections at once. */
export function slotsOf(
  engine: Engine,
  reader: Reader,
  companyId: string,
  connectionIds: readonly string[],
): Promise<SlotRow[]> {
  return slotQueries[engine](reader, companyId, listParameter(engine, connectionIds));
}

const pendingQuery = (engine: Engine) =>
  prepared<
    [companyId: string, serviceId: string, connectionIds: string],
    { connection_id: string; request_field_id: string }
  >((db, [companyId, serviceId, connectionIds]) =>
    pendingRows(
      db
        .selectFrom('connections')
        .where(inList(engine, 'connections.id', connectionIds))
        .where(ofService(companyId, serviceId)),
    ),
  );
const pendingQueries = { sqlite: pendingQuery('sqlite'), postgres: pendingQuery('postgres') };

/** What many connections have not answered yet. */
export function pendingOf(
  engine: Engine,
  reader: Reader,
  { companyId, serviceId }: ServiceRef,
  connectionIds: readonly string[],
) {
  return pendingQueries[engine](reader, companyId, serviceId, listParameter(engine, connectionIds));
}

export async function logsOf(
  reader: Reader,
  service: ServiceRef,
  page: NewestPaging,
): Promise<ServiceLogRow[]> {
  return reader
    .selectFrom('service_logs')
    .selectAll()
    .where('company_id', '=', service.companyId)
    .where('service_id', '=', service.serviceId)
    .where('id', '<', page.before)
    .orderBy('id', 'desc')
    .limit(inOrderMost(page.limit))
    .offset(page.offset)
    .execute();
}
