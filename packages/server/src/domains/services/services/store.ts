import { deleteBy, rowBy, updateBy } from '../../../db/by-key.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { count, exists, isInserted } from '../../../db/rows.ts';
import type { FormerServiceKeyRow, RequestFieldRow, ServiceRow, ShareFieldRow } from './tables.ts';

export async function serviceOf(
  reader: Reader,
  companyId: string,
  id: string,
): Promise<ServiceRow | undefined> {
  return rowBy(reader, 'services', { company_id: companyId, id });
}

export async function servicesOf(reader: Reader, companyId: string, page: { limit: number; offset: number }) {
  return reader
    .selectFrom('services')
    .selectAll()
    .where('company_id', '=', companyId)
    .orderBy('id')
    .limit(page.limit)
    .offset(page.offset)
    .execute();
}

export function countServices(reader: Reader, companyId: string): Promise<number> {
  return count(reader.selectFrom('services').where('company_id', '=', companyId));
}

export async function companyCodeOf(reader: Reader, companyId: string): Promise<string> {
  return (await rowBy(reader, 'companies', { id: companyId }, ['code']))?.code ?? '';
}

/** Services with what people see of their companies. Companies at home in other regions are left out. */
const listedServices = (reader: Reader) =>
  reader
    .selectFrom('services')
    .innerJoin('companies', 'companies.id', 'services.company_id')
    .selectAll('services')
    .select(['companies.name as company_name', 'companies.code as company_code'])
    .where('companies.region', 'is', null);

export type ListedService = NonNullable<Awaited<ReturnType<typeof findService>>>;

/** Finds a service by the codes people use. */
export function findService(reader: Reader, companyCode: string, serviceCode: string) {
  return listedServices(reader)
    .where('companies.code', '=', companyCode)
    .where('services.share_code', '=', serviceCode)
    .executeTakeFirst();
}

export function listedService(reader: Reader, serviceId: string) {
  return listedServices(reader).where('services.id', '=', serviceId).executeTakeFirst();
}

/** False when the share code is taken within the company. */
export function insertService(writer: Writer, row: ServiceRow): Promise<boolean> {
  return isInserted(
    writer
      .insertInto('services')
      .values(row)
      .onConflict((conflict) => conflict.columns(['company_id', 'share_code']).doNothing()),
  );
}

export async function updateService(
  writer: Writer,
  id: string,
  changes: Partial<Omit<ServiceRow, 'id' | 'company_id'>>,
): Promise<void> {
  await updateBy(writer, 'services', { id }, changes);
}

export function shareCodeTaken(reader: Reader, companyId: string, shareCode: string, exceptId: string) {
  return exists(
    reader
      .selectFrom('services')
      .select('id')
      .where('company_id', '=', companyId)
      .where('share_code', '=', shareCode)
      .where('id', '!=', exceptId),
  );
}

export async function requestRows(reader: Reader, serviceId: string): Promise<RequestFieldRow[]> {
  return reader
    .selectFrom('request_fields')
    .selectAll()
    .where('service_id', '=', serviceId)
    .orderBy('position')
    .execute();
}

/** The rows of a company that plugins answer. */
export async function rowsOfPlugins(reader: Reader, companyId: string) {
  return reader
    .selectFrom('request_fields')
    .select(['id', 'service_id', 'slug', 'plugin_id'])
    .where('company_id', '=', companyId)
    .where('plugin_id', 'is not', null)
    .orderBy('id')
    .execute();
}

/** Whether a publish writes a column of a row that stays. Every column stands here, or this does not compile. */
const PUBLISHED = {
  company_id: false,
  service_id: false,
  id: false,
  slug: true,
  label: true,
  type: true,
  one_time: true,
  mandatory_provide: true,
  mandatory_connected: true,
  verified: true,
  verified_max_age_days: true,
  audience: true,
  reason: true,
  position: true,
  // Whom the row is asked of, and since when, stays as it was when the row was added.
  people_since: false,
  companies_since: false,
  asked_at: false,
  plugin_id: true,
  plugin: true,
  // By a rule of its own, below.
  turning: false,
} as const satisfies Record<keyof RequestFieldRow, boolean>;
const PUBLISHED_COLUMNS = (Object.keys(PUBLISHED) as (keyof RequestFieldRow)[]).filter(
  (column) => PUBLISHED[column],
);

/** Writes the rows of a publish: those that stay are updated in place, so that answers keep their row. */
export async function replaceRequestFields(
  writer: Writer,
  ref: { companyId: string; serviceId: string },
  rows: readonly RequestFieldRow[],
  removed: readonly string[],
): Promise<void> {
  if (removed.length > 0)
    await writer
      .deleteFrom('request_fields')
      .where('company_id', '=', ref.companyId)
      .where('service_id', '=', ref.serviceId)
      .where('id', 'in', removed)
      .execute();
  if (rows.length === 0) return;
  await writer
    .insertInto('request_fields')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'service_id', 'id']).doUpdateSet((eb) => ({
        ...Object.fromEntries(PUBLISHED_COLUMNS.map((column) => [column, eb.ref(`excluded.${column}`)])),
        // Of a row that stays one-time the mark is left alone: a worker may have taken it away since the row was read.
        turning: eb
          .case()
          .when('request_fields.one_time', '=', eb.ref('excluded.one_time'))
          .then(eb.ref('request_fields.turning'))
          .else(eb.ref('excluded.turning'))
          .end(),
      })),
    )
    .execute();
}

/** All answers to some rows that turned one-time are snapshots now. */
export async function settleTurned(
  writer: Writer,
  ref: { companyId: string; serviceId: string },
  rowIds: readonly string[],
): Promise<void> {
  if (rowIds.length === 0) return;
  await writer
    .updateTable('request_fields')
    .set({ turning: 0 })
    .where('company_id', '=', ref.companyId)
    .where('service_id', '=', ref.serviceId)
    .where('id', 'in', rowIds)
    .execute();
}

export async function shareFieldsOf(reader: Reader, serviceId: string): Promise<ShareFieldRow[]> {
  return reader
    .selectFrom('share_fields')
    .selectAll()
    .where('service_id', '=', serviceId)
    .orderBy('position')
    .execute();
}

export async function replaceShareFields(
  writer: Writer,
  serviceId: string,
  rows: readonly ShareFieldRow[],
): Promise<void> {
  await deleteBy(writer, 'share_fields', { service_id: serviceId });
  if (rows.length > 0)
    await writer
      .insertInto('share_fields')
      .values([...rows])
      .execute();
}

/** The latest first. */
export async function formerKeysOf(
  reader: Reader,
  ref: { companyId: string; serviceId: string },
): Promise<FormerServiceKeyRow[]> {
  return reader
    .selectFrom('service_former_keys')
    .selectAll()
    .where('company_id', '=', ref.companyId)
    .where('service_id', '=', ref.serviceId)
    .orderBy('replaced_at', 'desc')
    .execute();
}

export async function insertFormerKey(writer: Writer, row: FormerServiceKeyRow): Promise<void> {
  await writer.insertInto('service_former_keys').values(row).execute();
}
