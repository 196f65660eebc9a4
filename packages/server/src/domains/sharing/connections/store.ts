import { type SqlBool, sql } from 'kysely';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inOrderMost } from '../../../db/in-order.ts';
import { inList, listParameter } from '../../../db/lists.ts';
import { prepared } from '../../../db/prepared.ts';
import { isBehind, type Series } from '../../../db/series.ts';
import { deleteDependents, dependentsOf, type Table } from '../../../db/table-registry.ts';
import { unindexed } from '../../../db/unindexed.ts';
import type { RaisedEvent } from '../../../events/outbox.ts';
import type { ConnectionRow } from './tables.ts';

type OfService = { readonly companyId: string; readonly serviceId: string };

/** The connections of a service after an id, oldest first. */
function inOrder(reader: Reader, { companyId, serviceId }: OfService, after: string) {
  const series: Series = {
    owner: [
      ['company_id', companyId],
      ['service_id', serviceId],
    ],
    order: 'id',
  };
  return reader
    .selectFrom('connections')
    .where(isBehind(series, after))
    .orderBy('company_id')
    .orderBy('service_id')
    .orderBy('id');
}

/** The next connections of a service after an id, oldest first. */
export async function connectionsOfService(
  reader: Reader,
  service: OfService,
  after: string,
  most: number,
): Promise<ConnectionRow[]> {
  return inOrder(reader, service, after).selectAll().limit(inOrderMost(most)).execute();
}

/** The ids of the next connections of a service. */
export async function connectionIdsAfter(
  reader: Reader,
  ref: OfService,
  { after, most }: { after: string; most: number },
): Promise<string[]> {
  const rows = await inOrder(reader, ref, after).select('id').limit(inOrderMost(most)).execute();
  return rows.map(({ id }) => id);
}

export async function deleteConnections(
  engine: Engine,
  writer: Writer,
  tables: readonly Table[],
  service: { companyId: string; serviceId: string },
  ids: readonly string[],
): Promise<void> {
  const { companyId, serviceId } = service;
  await deleteDependents(engine, writer, dependentsOf(tables, 'connections'), { ids, companyId });
  await writer
    .deleteFrom('connections')
    .where(inList(engine, 'id', listParameter(engine, ids)))
    .execute();
  // Of a deleted service there is no row.
  await writer
    .updateTable('services')
    .set((eb) => ({
      connection_count: eb('connection_count', '-', ids.length),
      connections_ended: eb('connections_ended', '+', ids.length),
    }))
    .where('id', '=', serviceId)
    .execute();
}

type Customer = Pick<ConnectionRow, 'customer_id' | 'customer_type'>;

const codeOfPerson = prepared<[id: string], { id: string; code: string }>((db, [id]) =>
  db.selectFrom('persons').select(['id', 'share_code as code']).where('id', '=', id),
);

/** The codes that people and companies are known by, by their ids. */
export async function shareCodesOf(
  reader: Reader,
  customers: readonly Customer[],
): Promise<Map<string, string>> {
  const idsOf = (type: Customer['customer_type']) =>
    customers.filter((customer) => customer.customer_type === type).map((customer) => customer.customer_id);
  const people = idsOf('person');
  const companies = idsOf('company');
  const [only, ...others] = people;
  const rows: { id: string; code: string }[] = [];
  if (only !== undefined && others.length === 0) rows.push(...(await codeOfPerson(reader, only)));
  else if (people.length > 0) {
    const found = reader.selectFrom('persons').select(['id', 'share_code as code']);
    rows.push(...(await found.where('id', 'in', people).execute()));
  }
  if (companies.length > 0) {
    const found = reader.selectFrom('companies').select(['id', 'code']);
    rows.push(...(await found.where('id', 'in', companies).execute()));
  }
  return new Map(rows.map((row) => [row.id, row.code]));
}

/** What all events of a connection have in common. @param codes share codes by the ids of customers */
export function subjectOf(
  connection: Pick<ConnectionRow, 'company_id' | 'service_id' | 'id'> & Customer,
  codes: ReadonlyMap<string, string>,
): Omit<RaisedEvent, 'event'> {
  const { customer_id: id, customer_type: type } = connection;
  return {
    companyId: connection.company_id,
    serviceId: connection.service_id,
    customer: { id, type, shareCode: codes.get(id) ?? null },
    connectionId: connection.id,
  };
}

/** The id that a company's connections to services of one other company share; undefined while it has none. */
export async function groupOf(
  reader: Reader,
  { companyId, customerId }: { companyId: string; customerId: string },
): Promise<string | undefined> {
  const row = await reader
    .selectFrom('connections')
    .select('group_id')
    .where('customer_id', '=', customerId)
    // Not as a column of an index: PostgreSQL would read all connections of the company beside those of the customer.
    .where(sql<SqlBool>`${unindexed('company_id')} = ${companyId}`)
    .limit(1)
    .executeTakeFirst();
  return row?.group_id ?? undefined;
}

/** False when the customer is connected to the service already. */
export async function insertConnection(writer: Writer, row: ConnectionRow): Promise<boolean> {
  const result = await writer
    .insertInto('connections')
    .values(row)
    .onConflict((conflict) => conflict.columns(['service_id', 'customer_id']).doNothing())
    .executeTakeFirst();
  if ((result.numInsertedOrUpdatedRows ?? 0n) === 0n) return false;
  await writer
    .updateTable('services')
    .set((eb) => ({ connection_count: eb('connection_count', '+', 1) }))
    .where('id', '=', row.service_id)
    .execute();
  return true;
}
