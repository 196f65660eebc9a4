import { DocumentStatus } from '@symbolon/protocol';
import { type Nullable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { storedFile } from '../../../core/stored-file.ts';
import { deleteBy, putBy, rowBy, updateBy } from '../../../db/by-key.ts';
import type { Engine, Reader, Writer } from '../../../db/database.ts';
import { inOrderMost } from '../../../db/in-order.ts';
import { count, exists } from '../../../db/rows.ts';
import { isBehind, type Series } from '../../../db/series.ts';
import type { Tables } from '../../../db/tables.ts';
import { unindexed } from '../../../db/unindexed.ts';
import { type Actor, countsByKey } from '../../operations/index.ts';
import type { ConnectionRow } from '../../sharing/index.ts';
import type { DocumentActRow, DocumentFileRow, DocumentRow } from './tables.ts';

export interface ServiceRef {
  readonly companyId: string;
  readonly serviceId: string;
}

/** Who issues documents of a service. */
export interface Issuer extends ServiceRef {
  /** Staff of the company, for its audit log; not its backend. */
  readonly actor?: Actor;
}

/** Names a document with its service: the key of its row. */
export type DocumentKey = Pick<DocumentRow, 'company_id' | 'service_id' | 'id'>;

/** The connection that a target names. */
export function addresseeBy(
  reader: Reader,
  { companyId, serviceId }: ServiceRef,
  by: { connectionId: string } | { customerId: string },
): Promise<ConnectionRow | undefined> {
  const rows = reader
    .selectFrom('connections')
    .selectAll()
    .where(unindexed('company_id'), '=', companyId)
    .where(unindexed('service_id'), '=', serviceId);
  return (
    'connectionId' in by
      ? rows.where('id', '=', by.connectionId)
      : rows.where('customer_id', '=', by.customerId)
  ).executeTakeFirst();
}

/** The person or company that has a code, if any. */
export async function customerByCode(reader: Reader, code: string): Promise<string | undefined> {
  const row = await rowBy(reader, 'share_codes', { code }, ['subject_id']);
  return row?.subject_id;
}

export async function insertDocument(writer: Writer, row: DocumentRow): Promise<void> {
  await writer.insertInto('documents').values(row).execute();
}

/** What a company writes about a document as it likes. */
export const describingBytes = sql<number>`octet_length(documents.metadata) + octet_length(coalesce(documents.description, '')) + octet_length(coalesce(documents.acted_terms, ''))`;
/** That, and what a JSON document holds. */
export const freeBytes = sql<number>`${describingBytes} + octet_length(coalesce(documents.payload, ''))`;

/** The documents of one connection, or those for all customers of a service: how many, and what they take. */
export async function roomTaken(
  reader: Reader,
  service: ServiceRef,
  connectionId: string | null,
): Promise<{ documents: number; bytes: number }> {
  const { documents, bytes } = await issuedTo(reader, service, connectionId)
    .select((eb) => [
      eb.fn.countAll<number>().as('documents'),
      eb.fn.sum<number | null>(freeBytes).as('bytes'),
    ])
    .executeTakeFirstOrThrow();
  return { documents: Number(documents), bytes: Number(bytes ?? 0) };
}

/** What the copies of their files take. */
export async function filesTaken(
  reader: Reader,
  service: ServiceRef,
  connectionId: string | null,
): Promise<number> {
  const files = await issuedTo(reader, service, connectionId)
    .innerJoin('document_files', (join) =>
      join
        .onRef('document_files.company_id', '=', 'documents.company_id')
        .onRef('document_files.document_id', '=', 'documents.id'),
    )
    .select('document_files.value')
    .execute();
  return files.reduce((sum, { value }) => sum + (storedFile(value)?.bytes ?? 0), 0);
}

function issuedTo(reader: Reader, { companyId, serviceId }: ServiceRef, connectionId: string | null) {
  const rows = reader.selectFrom('documents');
  return connectionId === null
    ? rows
        .where(unindexed('documents.company_id'), '=', companyId)
        .where('documents.service_id', '=', serviceId)
        .where('documents.connection_id', 'is', null)
    : rows.where('documents.connection_id', '=', connectionId);
}

/** A document with what its parties see of the customer. */
export interface ListedDocument extends DocumentRow {
  /** The code that the customer is known by. */
  readonly share_code: string | null;
  /** Where the person is at home. */
  readonly customer_region: string | null;
}

export const OF_CUSTOMER = [
  'persons.region as customer_region',
  sql<string | null>`coalesce(persons.share_code, customers.code)`.as('share_code'),
] as const;

/** The tables of `listed`. It is named so that the declarations of the package need not spell every table. */
type ListedTables = {
  [Name in keyof Tables | 'customers']: Name extends 'persons'
    ? Nullable<Tables['persons']>
    : Name extends 'customers'
      ? Nullable<Tables['companies']>
      : Name extends keyof Tables
        ? Tables[Name]
        : never;
};

export const listed = (
  reader: Reader,
): SelectQueryBuilder<ListedTables, 'documents' | 'persons' | 'customers', ListedDocument> =>
  reader
    .selectFrom('documents')
    .leftJoin('persons', 'persons.id', 'documents.customer_id')
    .leftJoin('companies as customers', 'customers.id', 'documents.customer_id')
    .selectAll('documents')
    .select(OF_CUSTOMER);

/** Documents of a service that the company has not deleted, which ids name: the index on these alone is of use. */
const named = (reader: Reader, { companyId, serviceId }: ServiceRef) =>
  listed(reader)
    .where(unindexed('documents.company_id'), '=', companyId)
    .where(unindexed('documents.service_id'), '=', serviceId)
    .where('documents.deleted_at', 'is', null);

/** A document of a service that the company has not deleted. */
export function documentOf(
  reader: Reader,
  service: ServiceRef,
  id: string,
): Promise<ListedDocument | undefined> {
  return named(reader, service).where('documents.id', '=', id).executeTakeFirst();
}

export interface DocumentFilter {
  readonly customerId: string | undefined;
  readonly status: DocumentRow['status'] | undefined;
}

/** The service, a space, and the status; empty for what the company deleted. An index and the counts have the same. */
const listedAs = sql<string>`case when deleted_at is null then service_id || ' ' || status else '' end`;

/** The documents of a service, or those with a status, in the order of an index. */
function seriesOf({ companyId, serviceId }: ServiceRef, status: DocumentFilter['status']): Series {
  const company = ['company_id', companyId] as const;
  return {
    owner:
      status === undefined
        ? [company, ['service_id', serviceId]]
        : [[listedAs, `${serviceId} ${status}`], company],
    order: 'id',
  };
}

/** What a filter leaves, newest first. */
function matching(reader: Reader, service: ServiceRef, { customerId, status }: DocumentFilter) {
  const rows = reader.selectFrom('documents').where('deleted_at', 'is', null);
  if (customerId === undefined) {
    const series = seriesOf(service, status);
    const columns = [...series.owner.map(([column]) => column), series.order];
    const behind = rows.where(isBehind(series, ''));
    return columns.reduce(
      (ordered, column) => ordered.orderBy(typeof column === 'string' ? sql.ref(column) : column, 'desc'),
      behind,
    );
  }
  const own = rows
    .where('customer_id', '=', customerId)
    .where(unindexed('company_id'), '=', service.companyId)
    .where(unindexed('service_id'), '=', service.serviceId)
    .orderBy('id', 'desc');
  return status === undefined ? own : own.where(unindexed('status'), '=', status);
}

/** How many there are: of one customer few, of a service as many as it has customers, so that these are never counted. */
export async function countMatching(
  engine: Engine,
  reader: Reader,
  service: ServiceRef,
  filter: DocumentFilter,
): Promise<number> {
  if (filter.customerId !== undefined) return count(matching(reader, service, filter).clearOrderBy());
  const statuses =
    filter.status === undefined ? DocumentStatus.anyOf.map((status) => status.const) : [filter.status];
  const keys = statuses.map((status) => `${service.serviceId} ${status}`);
  const counts = await countsByKey(engine, reader, 'documents', keys);
  return counts.values().reduce((sum, n) => sum + n, 0);
}

/** Newest first. */
export async function matchingIds(
  reader: Reader,
  service: ServiceRef,
  filter: DocumentFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<string[]> {
  const rows = matching(reader, service, filter).select('id');
  const page = await rows.limit(inOrderMost(limit)).offset(offset).execute();
  return page.map(({ id }) => id);
}

/** Some documents of a service, newest first. */
export function documentsByIds(
  reader: Reader,
  service: ServiceRef,
  ids: readonly string[],
): Promise<ListedDocument[]> {
  return named(reader, service).where('documents.id', 'in', ids).orderBy('documents.id', 'desc').execute();
}

export async function updateDocument(
  writer: Writer,
  { company_id, service_id, id }: DocumentKey,
  change: Partial<DocumentRow>,
): Promise<void> {
  await updateBy(writer, 'documents', { company_id, service_id, id }, change);
}

/** Of several openings the first counts. */
export async function noteViewed(
  writer: Writer,
  { company_id, service_id, id }: DocumentKey,
  at: number,
): Promise<void> {
  await writer
    .updateTable('documents')
    .set({ viewed_at: at })
    .where('company_id', '=', company_id)
    .where('service_id', '=', service_id)
    .where('id', '=', id)
    .where('viewed_at', 'is', null)
    .execute();
}

/** Deletes a document with everything that belongs to it. */
export async function deleteDocument(writer: Writer, key: DocumentKey): Promise<void> {
  for (const table of ['document_files', 'document_acts'] as const) {
    await deleteBy(writer, table, { company_id: key.company_id, document_id: key.id });
  }
  await deleteBy(writer, 'documents', { company_id: key.company_id, service_id: key.service_id, id: key.id });
}

/** Puts a copy of a document's file in the place of the party's former one. */
export async function putFile(writer: Writer, row: DocumentFileRow): Promise<void> {
  await putBy(writer, 'document_files', ['company_id', 'document_id', 'party'], row);
}

export async function deleteFile(
  writer: Writer,
  { company_id, id }: DocumentKey,
  party: DocumentFileRow['party'],
): Promise<void> {
  await deleteBy(writer, 'document_files', { company_id, document_id: id, party });
}

export function fileOf(
  reader: Reader,
  { id }: Pick<DocumentKey, 'id'>,
  parties: readonly DocumentFileRow['party'][],
): Promise<DocumentFileRow | undefined> {
  return reader
    .selectFrom('document_files')
    .selectAll()
    .where('document_id', '=', id)
    .where('party', 'in', parties)
    .executeTakeFirst();
}

/** The files that documents were uploaded with, and what parties did with them, by the ids of the documents. */
export async function partsOf(
  reader: Reader,
  documents: readonly Pick<DocumentKey, 'id'>[],
): Promise<{ files: Map<string, DocumentFileRow>; acts: Map<string, DocumentActRow[]> }> {
  if (documents.length === 0) return { files: new Map(), acts: new Map() };
  const ids = documents.map(({ id }) => id);
  const files = await reader
    .selectFrom('document_files')
    .selectAll()
    .where('document_id', 'in', ids)
    .where('party', '!=', 'service')
    .execute();
  const acts = await reader
    .selectFrom('document_acts')
    .selectAll()
    .where('document_id', 'in', ids)
    .orderBy('id')
    .execute();
  return {
    files: new Map(files.map((file) => [file.document_id, file])),
    acts: Map.groupBy(acts, (act) => act.document_id),
  };
}

/** Notes what the customer did with a document. */
export async function insertAct(writer: Writer, row: DocumentActRow): Promise<void> {
  await writer.insertInto('document_acts').values(row).execute();
}

/** Whether a party signed or accepted a document. */
export function isActedOn(reader: Reader, { id }: Pick<DocumentKey, 'id'>): Promise<boolean> {
  return exists(
    reader
      .selectFrom('document_acts')
      .select('id')
      .where('document_id', '=', id)
      .where('action', 'in', ['signed', 'accepted']),
  );
}

/** That the customer of a document signed or accepted it. */
export const actedOn = sql<SqlBool>`exists (
  select 1 from document_acts where document_acts.document_id = documents.id and document_acts.action in ('signed', 'accepted'))`;

/** The connection of the company that a document is for, with the codes of the service; undefined when it has ended. */
export async function linkOf(reader: Reader, document: DocumentKey, connectionId: string) {
  const row = await reader
    .selectFrom('connections')
    .innerJoin('services', 'services.id', 'connections.service_id')
    .innerJoin('companies', 'companies.id', 'connections.company_id')
    .select([
      'connections.id',
      'connections.group_id',
      'connections.customer_id',
      'services.share_code',
      'companies.code as company_code',
    ])
    .where('connections.company_id', '=', document.company_id)
    .where('connections.service_id', '=', document.service_id)
    .where('connections.id', '=', connectionId)
    .executeTakeFirst();
  return (
    row && {
      id: document.service_id,
      share_code: row.share_code,
      company_code: row.company_code,
      connection: { id: row.id, group_id: row.group_id, customer_id: row.customer_id },
    }
  );
}
