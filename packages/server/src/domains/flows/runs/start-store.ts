import type { Reader } from '../../../db/database.ts';
import { unindexed } from '../../../db/unindexed.ts';
import type { ConnectionRow } from '../../sharing/index.ts';
import type { ServiceRef } from './store.ts';

/** A customer of a service who can be bound to a party. */
export interface Customer extends Pick<ConnectionRow, 'id' | 'customer_id' | 'customer_type' | 'group_id'> {
  readonly share_code: string | null;
  readonly region: string | null;
  readonly public_key_sha256: string | null;
}

/** The customers of a service among some, by the connection or the customer. */
export async function customersOf(
  reader: Reader,
  { companyId, serviceId }: ServiceRef,
  { connectionId, customerIds }: { connectionId: string; customerIds: readonly string[] },
): Promise<Customer[]> {
  const connected = () => customers(reader).where(unindexed('connections.company_id'), '=', companyId);
  const byConnection = await connected()
    .where('connections.id', '=', connectionId)
    .where(unindexed('connections.service_id'), '=', serviceId)
    .execute();
  const rest = customerIds.filter((id) => byConnection.every(({ customer_id }) => customer_id !== id));
  if (rest.length === 0) return byConnection;
  const byCustomer = await connected()
    .where('connections.service_id', '=', serviceId)
    .where('connections.customer_id', 'in', rest)
    .execute();
  return [...byConnection, ...byCustomer];
}

const customers = (reader: Reader) =>
  reader
    .selectFrom('connections')
    .leftJoin('persons', (join) => join.on('persons.id', '=', unindexed('connections.customer_id')))
    .leftJoin('companies', (join) => join.on('companies.id', '=', unindexed('connections.customer_id')))
    .select((eb) => [
      'connections.id',
      'connections.customer_id',
      'connections.customer_type',
      'connections.group_id',
      'persons.region',
      eb.fn.coalesce('persons.share_code', 'companies.code').as('share_code'),
      eb.fn
        .coalesce('persons.public_key_sha256', 'companies.account_public_key_sha256')
        .as('public_key_sha256'),
    ]);

/** The slugs of request rows that a connection has answered with a file or value. */
export async function answeredSlugs(
  reader: Reader,
  { companyId }: ServiceRef,
  connectionIds: readonly string[],
): Promise<Set<string>> {
  if (connectionIds.length === 0) return new Set();
  const rows = await reader
    .selectFrom('slot_values')
    .innerJoin('request_fields', 'request_fields.id', 'slot_values.request_field_id')
    .select(['slot_values.connection_id', 'request_fields.slug'])
    .where('slot_values.connection_id', 'in', connectionIds)
    .where(unindexed('slot_values.company_id'), '=', companyId)
    .where('slot_values.value', 'is not', null)
    .execute();
  return new Set(rows.map(({ connection_id, slug }) => `${connection_id} ${slug}`));
}

/** The codes of a service, and the fingerprint of its key; undefined when it is not there. */
export function serviceForStart(reader: Reader, { companyId, serviceId }: ServiceRef) {
  return reader
    .selectFrom('services')
    .innerJoin('companies', (join) => join.on('companies.id', '=', unindexed('services.company_id')))
    .select([
      'services.name as service_name',
      'services.share_code as service_code',
      'services.public_key_sha256',
      'companies.name as company_name',
      'companies.code as company_code',
    ])
    .where('services.company_id', '=', companyId)
    .where('services.id', '=', serviceId)
    .executeTakeFirst();
}
