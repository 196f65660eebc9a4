import { type SqlBool, sql } from 'kysely';
import type { Reader } from '../../../db/database.ts';
import { inOrderMost } from '../../../db/in-order.ts';
import { exists } from '../../../db/rows.ts';
import { unindexed } from '../../../db/unindexed.ts';
import { actedOn, describingBytes, freeBytes, type ListedDocument, listed, OF_CUSTOMER } from './store.ts';
import type { DocumentRow } from './tables.ts';

/** A document as its customer meets it, with the service that issued it. */
export interface CustomersDocument extends ListedDocument {
  readonly company_name: string;
  readonly company_code: string;
  readonly service_name: string;
  readonly service_code: string;
  /** The customer's connection to the service; null when it has ended. */
  readonly link_id: string | null;
}

const OF_ISSUER = [
  'companies.name as company_name',
  'companies.code as company_code',
  'services.name as service_name',
  'services.share_code as service_code',
  'connections.id as link_id',
] as const;

/** What JSON documents hold may be much; a list that does not show it does not read it. */
const BESIDE_PAYLOAD = [
  'documents.company_id',
  'documents.service_id',
  'documents.id',
  'documents.connection_id',
  'documents.customer_id',
  'documents.customer_type',
  'documents.kind',
  'documents.name',
  'documents.description',
  'documents.status',
  'documents.payload_kind',
  'documents.metadata',
  'documents.acted_terms',
  'documents.is_private',
  'documents.requires_signature',
  'documents.requires_acceptance',
  'documents.plain_sha256',
  'documents.sealed_at',
  'documents.sealed_sha256',
  'documents.seal_level',
  'documents.ends_on',
  'documents.created_at',
  'documents.updated_at',
  'documents.viewed_at',
  'documents.deleted_at',
  'documents.dropped_at',
] as const;

/**
 * What a customer has: the documents for its connections, those it signed or accepted even when the connection has ended or
 * the company deleted them, and those for all customers of a service that it is connected to. Only in the home region of the
 * company: rows of one that is moving do not count.
 */
function ofCustomer(reader: Reader, customerId: string) {
  return listed(reader)
    .innerJoin('services', (join) =>
      join
        .on('services.company_id', '=', unindexed('documents.company_id'))
        .on('services.id', '=', unindexed('documents.service_id')),
    )
    .innerJoin('companies', (join) => join.on('companies.id', '=', unindexed('documents.company_id')))
    .leftJoin('connections', (join) =>
      join
        .onRef('connections.service_id', '=', 'documents.service_id')
        .on('connections.customer_id', '=', customerId),
    )
    .select(OF_ISSUER)
    .where('companies.region', 'is', null)
    .where('documents.dropped_at', 'is', null);
}

const live = sql<SqlBool>`connections.id = documents.connection_id and documents.deleted_at is null`;

/** A document that a list may show. */
export interface ListableDocument {
  readonly id: string;
  readonly service_id: string;
  /** What the list shows of what the company wrote into it. */
  readonly bytes: number;
}

interface Listing {
  readonly companyIds?: readonly string[];
  /** Of each kind. */
  readonly most: number;
  /** Whether the list shows what JSON documents hold. */
  readonly whole: boolean;
}

/** The newest documents for this customer alone, and the newest for all customers of the services that it is connected to. */
export async function listable(
  reader: Reader,
  customerId: string,
  { companyIds, most, whole }: Listing,
): Promise<ListableDocument[]> {
  let all = ofCustomer(reader, customerId)
    .clearSelect()
    .select(['documents.id', 'documents.service_id', (whole ? freeBytes : describingBytes).as('bytes')])
    .orderBy('documents.id', 'desc')
    .limit(inOrderMost(most));
  if (companyIds !== undefined) all = all.where(unindexed('documents.company_id'), 'in', companyIds);
  const own = await all
    .where('documents.customer_id', '=', customerId)
    .where((eb) => eb.or([live, actedOn]))
    .execute();
  const shared = await all
    .where('documents.connection_id', 'is', null)
    .where('documents.deleted_at', 'is', null)
    .where('documents.service_id', 'in', (eb) =>
      eb.selectFrom('connections as own').select('own.service_id').where('own.customer_id', '=', customerId),
    )
    .execute();
  return [...own, ...shared];
}

/** Some documents of a customer that `listable` found, oldest first. */
export async function customersDocuments(
  reader: Reader,
  customerId: string,
  ids: readonly string[],
  { whole }: Pick<Listing, 'whole'>,
): Promise<CustomersDocument[]> {
  if (ids.length === 0) return [];
  const rows = ofCustomer(reader, customerId).where('documents.id', 'in', ids).orderBy('documents.id');
  if (whole) return rows.execute();
  const light = await rows
    .clearSelect()
    .select([...BESIDE_PAYLOAD, ...OF_CUSTOMER, ...OF_ISSUER])
    .execute();
  return light.map((row) => ({ ...row, payload: null }));
}

/** One document that a customer has. */
export function customersDocument(
  reader: Reader,
  customerId: string,
  id: string,
): Promise<CustomersDocument | undefined> {
  return ofCustomer(reader, customerId)
    .where('documents.id', '=', id)
    .where((eb) =>
      eb.or([
        eb.and([eb('documents.customer_id', '=', customerId), eb.or([live, actedOn])]),
        eb.and([
          eb('documents.connection_id', 'is', null),
          eb('documents.deleted_at', 'is', null),
          eb('connections.id', 'is not', null),
        ]),
      ]),
    )
    .executeTakeFirst();
}

/** The documents of which a person has a copy, whatever became of their connections. */
const copies = (reader: Reader, personId: string) =>
  reader
    .selectFrom('documents')
    .innerJoin('companies', (join) => join.on('companies.id', '=', unindexed('documents.company_id')))
    .where('companies.region', 'is', null)
    .where('documents.customer_id', '=', personId)
    .where('documents.dropped_at', 'is', null);

export async function copiesOf(reader: Reader, personId: string): Promise<string[]> {
  const rows = await copies(reader, personId).select('documents.id').orderBy('documents.id').execute();
  return rows.map(({ id }) => id);
}

export function copyOf(reader: Reader, personId: string, id: string): Promise<DocumentRow | undefined> {
  return copies(reader, personId).selectAll('documents').where('documents.id', '=', id).executeTakeFirst();
}

/**
 * Whether one of some connections has an agreement or subscription that is active and that the company has not deleted.
 * @param by on the customer's side only those count that the customer signed or accepted and still has a copy of
 */
export function hasActiveContract(
  reader: Reader,
  connectionIds: readonly string[],
  by: 'customer' | 'service',
): Promise<boolean> {
  const active = reader
    .selectFrom('documents')
    .select('id')
    .where('connection_id', 'in', connectionIds)
    .where('kind', 'in', ['agreement', 'subscription'])
    .where('status', 'in', ['active', 'active_but_ending'])
    .where('deleted_at', 'is', null);
  return exists(by === 'service' ? active : active.where('dropped_at', 'is', null).where(actedOn));
}
