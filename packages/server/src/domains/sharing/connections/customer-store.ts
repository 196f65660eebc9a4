import { type ExpressionBuilder, sql } from 'kysely';
import { replacedBut } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import type { Tables } from '../../../db/tables.ts';
import type { ListedService, RequestFieldRow, ServiceRow, ShareFieldRow } from '../../services/index.ts';
import { pendingRows, wasAskedLater } from './pending.ts';
import type { ConnectionRow, ConsentRow, SlotValueRow } from './tables.ts';

/** Which of a customer's connections: all, or some. */
export interface OwnConnections {
  readonly customerId: string;
  readonly connectionId?: string | readonly string[];
  /** Of a company: its links to the services of one other company, or of some. */
  readonly groupId?: string | readonly string[];
}

/** What customers see of a service and its company. */
export interface ServiceCardRow extends Pick<ConnectionRow, 'company_id' | 'service_id'> {
  company_name: string;
  company_code: string;
  service_name: ServiceRow['name'];
  service_code: ServiceRow['share_code'];
  audience: ServiceRow['audience'];
  public_key: ServiceRow['public_key'];
  public_key_sha256: ServiceRow['public_key_sha256'];
}

/** A connection with what its customer sees of its service. */
export interface OwnConnectionRow extends ConnectionRow, ServiceCardRow {}

/** What a service shows in a lookup, named as in a connection. */
export const cardRowOf = (service: ListedService): ServiceCardRow => ({
  ...service,
  service_id: service.id,
  service_name: service.name,
  service_code: service.share_code,
});

/**
 * A connection is in the home region of its company: rows of a company that is moving here or away do not count. Nor do
 * those of a service that is deleted, which a job removes.
 */
const own = (reader: Reader, { customerId, connectionId, groupId }: OwnConnections) => {
  let rows = reader
    .selectFrom('connections')
    .where('connections.customer_id', '=', customerId)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('services as theirs')
          .innerJoin('companies as home', 'home.id', 'theirs.company_id')
          .select('theirs.id')
          .whereRef('theirs.company_id', '=', 'connections.company_id')
          .whereRef('theirs.id', '=', 'connections.service_id')
          .where('home.region', 'is', null)
          // With an offset PostgreSQL asks for each connection. Without one it may begin with the services, for it does not
          // know how few connections a customer has.
          .limit(sql.lit(1))
          .offset(sql.lit(0)),
      ),
    );
  if (connectionId !== undefined) rows = rows.where('connections.id', 'in', [connectionId].flat());
  if (groupId !== undefined) rows = rows.where('connections.group_id', 'in', [groupId].flat());
  return rows;
};

/** Oldest first. */
export async function ownConnectionIds(
  reader: Reader,
  which: OwnConnections,
): Promise<Pick<ConnectionRow, 'id' | 'group_id'>[]> {
  return own(reader, which)
    .select(['connections.id', 'connections.group_id'])
    .orderBy('connections.id')
    .execute();
}

/** The id of the connection with a service. */
export async function ownConnectionIdWith(
  reader: Reader,
  customerId: string,
  serviceId: string,
): Promise<string | undefined> {
  const row = await own(reader, { customerId })
    .select('connections.id')
    .where('connections.service_id', '=', serviceId)
    .executeTakeFirst();
  return row?.id;
}

/** Oldest first. */
export async function ownConnections(reader: Reader, which: OwnConnections): Promise<OwnConnectionRow[]> {
  return own(reader, which)
    .innerJoin('services', 'services.id', 'connections.service_id')
    .innerJoin('companies', 'companies.id', 'connections.company_id')
    .selectAll('connections')
    .select([
      'companies.name as company_name',
      'companies.code as company_code',
      'services.name as service_name',
      'services.share_code as service_code',
      'services.audience',
      'services.public_key',
      'services.public_key_sha256',
    ])
    .orderBy('connections.id')
    .execute();
}

/** The request rows of the services connected to, in their order. */
export async function ownRequestRows(reader: Reader, which: OwnConnections): Promise<RequestFieldRow[]> {
  return own(reader, which)
    .innerJoin('request_fields', (join) =>
      join
        .onRef('request_fields.company_id', '=', 'connections.company_id')
        .onRef('request_fields.service_id', '=', 'connections.service_id'),
    )
    .selectAll('request_fields')
    .orderBy('request_fields.position')
    .execute();
}

/** What the services connected to show of themselves, in their order. */
export async function ownShareRows(reader: Reader, which: OwnConnections): Promise<ShareFieldRow[]> {
  return own(reader, which)
    .innerJoin('share_fields', (join) =>
      join
        .onRef('share_fields.company_id', '=', 'connections.company_id')
        .onRef('share_fields.service_id', '=', 'connections.service_id'),
    )
    .selectAll('share_fields')
    .orderBy('share_fields.position')
    .execute();
}

export type OwnSlotRow = Pick<
  SlotValueRow,
  'connection_id' | 'request_field_id' | 'field_id' | 'live' | 'updated_at'
>;

/** What the customer answered, without the values: those are sealed for the services. */
export async function ownSlots(reader: Reader, which: OwnConnections): Promise<OwnSlotRow[]> {
  return own(reader, which)
    .innerJoin('slot_values', (join) =>
      join
        .onRef('slot_values.company_id', '=', 'connections.company_id')
        .onRef('slot_values.connection_id', '=', 'connections.id'),
    )
    .select([
      'slot_values.connection_id',
      'slot_values.request_field_id',
      'slot_values.field_id',
      'slot_values.live',
      'slot_values.updated_at',
    ])
    .execute();
}

/** A row that a publish asked of a connection and that its customer has not decided on. */
export interface PendingRow {
  readonly connection_id: string;
  readonly request_field_id: string;
  /** The same for all connections of the service. */
  readonly consent_id: string | null;
  readonly asked_at: number;
}

/** The customer's undecided rows; what became of their audience since they were asked is up to the caller. */
export async function ownPending(reader: Reader, which: OwnConnections): Promise<PendingRow[]> {
  return pendingRows(own(reader, which)).execute();
}

/**
 * A column of a connection's service, read for each connection. A join would let PostgreSQL begin with the services while it
 * does not know how few connections a customer has.
 */
const ofService = <Column extends 'asked_version' | 'consent_id'>(
  eb: ExpressionBuilder<Tables, 'connections'>,
  column: Column,
) =>
  eb
    .selectFrom('services')
    .select(column)
    .whereRef('services.company_id', '=', 'connections.company_id')
    .whereRef('services.id', '=', 'connections.service_id');

/** The customer's connections whose services have asked something since they were made; it may be decided. */
const asked = (reader: Reader, customerId: string) =>
  own(reader, { customerId })
    .select('connections.id')
    .where((eb) => eb(ofService(eb, 'asked_version'), '>', eb.ref('connections.request_version')));

export async function askedConnectionIds(reader: Reader, customerId: string): Promise<string[]> {
  return (await asked(reader, customerId).execute()).map(({ id }) => id);
}

/** The customer's connection to the service whose open consents have an id. It is the same for every customer. */
export async function connectionOfConsent(
  reader: Reader,
  customerId: string,
  consentId: string,
): Promise<Pick<ConnectionRow, 'id'> | undefined> {
  return asked(reader, customerId)
    .where((eb) => eb(ofService(eb, 'consent_id'), '=', consentId))
    .executeTakeFirst();
}

/** A connection, when it is the customer's. */
export async function ownConnection(
  reader: Reader,
  customerId: string,
  connectionId: string,
): Promise<ConnectionRow | undefined> {
  return own(reader, { customerId, connectionId }).selectAll('connections').executeTakeFirst();
}

/** Only the connections, oldest first. */
export async function ownConnectionRows(
  reader: Reader,
  which: OwnConnections,
  most?: number,
): Promise<ConnectionRow[]> {
  const rows = own(reader, which).selectAll('connections').orderBy('connections.id');
  return (most === undefined ? rows : rows.limit(most)).execute();
}

/**
 * Stores decisions on rows that a publish asked. Rows that the customer saw when connecting are not asked again, and need
 * none; a row that was accepted stays accepted.
 */
export async function storeDecisions(
  writer: Writer,
  connection: ConnectionRow,
  decision: { state: ConsentRow['state']; rows: readonly RequestFieldRow[]; at: number },
): Promise<void> {
  const asked = decision.rows.filter((row) => wasAskedLater(connection, row));
  if (asked.length === 0) return;
  const key = ['company_id', 'connection_id', 'request_field_id'] as const;
  const rows = asked.map(
    (row): ConsentRow => ({
      company_id: connection.company_id,
      connection_id: connection.id,
      request_field_id: row.id,
      state: decision.state,
      decided_at: decision.at,
    }),
  );
  await writer
    .insertInto('consent_rows')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(key).doUpdateSet(replacedBut(rows, key)).where('consent_rows.state', '!=', 'accepted'),
    )
    .execute();
}
