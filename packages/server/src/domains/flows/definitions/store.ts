import { deleteBy, putBy, rowBy, updateBy } from '../../../db/by-key.ts';
import { sumOfBytes } from '../../../db/byte-lengths.ts';
import type { Reader, Writer } from '../../../db/database.ts';
import { count } from '../../../db/rows.ts';
import { DRAFT, type FlowAssetHead, type FlowAssetRow, type FlowRow, type FlowVersionRow } from './tables.ts';

export interface ServiceRef {
  readonly companyId: string;
  readonly serviceId: string;
}

export interface FlowRef extends ServiceRef {
  readonly flowId: string;
}

const HEAD = [
  'company_id',
  'service_id',
  'id',
  'name',
  'output_mode',
  'revision',
  'version',
  'published_revision',
  'published_at',
  'plugin_ids',
  'created_at',
  'updated_at',
  'deleted_at',
] as const;
/** A flow without its draft. */
export type FlowHead = Pick<FlowRow, (typeof HEAD)[number]>;

const VERSION_HEAD = ['flow_id', 'version', 'name', 'output_mode', 'published_at', 'field_count'] as const;
export type FlowVersionHead = Pick<FlowVersionRow, (typeof VERSION_HEAD)[number]>;

/** The flows of a service, oldest first. */
export function flowsOf(reader: Reader, { companyId, serviceId }: ServiceRef): Promise<FlowHead[]> {
  return reader
    .selectFrom('flows')
    .select(HEAD)
    .where('company_id', '=', companyId)
    .where('service_id', '=', serviceId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
}

export function countFlows(reader: Reader, { companyId, serviceId }: ServiceRef): Promise<number> {
  return count(
    reader
      .selectFrom('flows')
      .where('company_id', '=', companyId)
      .where('service_id', '=', serviceId)
      .where('deleted_at', 'is', null),
  );
}

const flowBy = (reader: Reader, { companyId, serviceId, flowId }: FlowRef) =>
  reader
    .selectFrom('flows')
    .where('company_id', '=', companyId)
    .where('service_id', '=', serviceId)
    .where('id', '=', flowId)
    .where('deleted_at', 'is', null);

export function flowHead(reader: Reader, ref: FlowRef): Promise<FlowHead | undefined> {
  return flowBy(reader, ref).select(HEAD).executeTakeFirst();
}

export function flowWithDraft(reader: Reader, ref: FlowRef): Promise<FlowRow | undefined> {
  return flowBy(reader, ref).selectAll().executeTakeFirst();
}

export async function insertFlow(writer: Writer, row: FlowRow): Promise<void> {
  await writer.insertInto('flows').values(row).execute();
}

export async function updateFlow(
  writer: Writer,
  { companyId, serviceId, flowId }: FlowRef,
  changes: Partial<Omit<FlowRow, 'company_id' | 'service_id' | 'id'>>,
): Promise<void> {
  await updateBy(writer, 'flows', { company_id: companyId, service_id: serviceId, id: flowId }, changes);
}

export async function deleteFlow(writer: Writer, { companyId, serviceId, flowId }: FlowRef): Promise<void> {
  for (const table of ['flow_assets', 'flow_versions'] as const)
    await deleteBy(writer, table, { company_id: companyId, flow_id: flowId });
  await deleteBy(writer, 'flows', { company_id: companyId, service_id: serviceId, id: flowId });
}

/** What the definitions of a service take in all drafts and versions, in bytes. */
export async function definitionBytes(reader: Reader, { companyId, serviceId }: ServiceRef): Promise<number> {
  const drafts = reader.selectFrom('flows').where('company_id', '=', companyId);
  const versions = reader.selectFrom('flow_versions').where('company_id', '=', companyId);
  const [ofDrafts, ofVersions] = await Promise.all([
    sumOfBytes(drafts.where('service_id', '=', serviceId), 'draft'),
    sumOfBytes(versions.where('service_id', '=', serviceId), 'definition'),
  ]);
  return ofDrafts + ofVersions;
}

/** The versions of a flow, latest first. */
export function versionsOf(
  reader: Reader,
  { companyId, flowId }: Pick<FlowRef, 'companyId' | 'flowId'>,
): Promise<FlowVersionHead[]> {
  return reader
    .selectFrom('flow_versions')
    .select(VERSION_HEAD)
    .where('company_id', '=', companyId)
    .where('flow_id', '=', flowId)
    .orderBy('version', 'desc')
    .execute();
}

export interface VersionRef {
  readonly companyId: string;
  readonly flowId: string;
  readonly version: number;
}

const versionBy = (reader: Reader, { companyId, flowId, version }: VersionRef) =>
  reader
    .selectFrom('flow_versions')
    .where('company_id', '=', companyId)
    .where('flow_id', '=', flowId)
    .where('version', '=', version);

export function versionHead(reader: Reader, ref: VersionRef): Promise<FlowVersionHead | undefined> {
  return versionBy(reader, ref).select(VERSION_HEAD).executeTakeFirst();
}

export async function definitionOf(reader: Reader, ref: VersionRef): Promise<string | undefined> {
  return (await versionBy(reader, ref).select('definition').executeTakeFirst())?.definition;
}

export async function insertVersion(writer: Writer, row: FlowVersionRow): Promise<void> {
  await writer.insertInto('flow_versions').values(row).execute();
}

/** The latest version of each published flow of a service, oldest flow first. */
export function latestVersions(reader: Reader, { companyId, serviceId }: ServiceRef) {
  return reader
    .selectFrom('flows')
    .innerJoin('flow_versions', (join) =>
      join
        .onRef('flow_versions.company_id', '=', 'flows.company_id')
        .onRef('flow_versions.flow_id', '=', 'flows.id')
        .onRef('flow_versions.version', '=', 'flows.version'),
    )
    .where('flows.company_id', '=', companyId)
    .where('flows.service_id', '=', serviceId)
    .where('flows.deleted_at', 'is', null)
    .orderBy('flows.id')
    .select([
      'flows.id',
      'flows.name',
      'flow_versions.version',
      'flow_versions.output_mode',
      'flow_versions.published_at',
      'flow_versions.field_count',
    ]);
}

/** The same with the fields of each. */
export function latestFields(reader: Reader, ref: ServiceRef) {
  return latestVersions(reader, ref)
    .where('flow_versions.field_count', '>', 0)
    .select('flow_versions.fields');
}

const ASSET_HEAD = [
  'company_id',
  'service_id',
  'flow_id',
  'version',
  'asset_key',
  'original_name',
  'hash',
  'bytes',
  'created_at',
  'value',
  'analysis',
] as const;

/** The files of a draft or a version, by key. */
export function assetsOf(
  reader: Reader,
  { companyId, flowId, version }: VersionRef,
): Promise<FlowAssetHead[]> {
  return reader
    .selectFrom('flow_assets')
    .select(ASSET_HEAD)
    .where('company_id', '=', companyId)
    .where('flow_id', '=', flowId)
    .where('version', '=', version)
    .orderBy('asset_key')
    .execute();
}

export function assetOf(reader: Reader, ref: VersionRef, key: string): Promise<FlowAssetRow | undefined> {
  return rowBy(reader, 'flow_assets', {
    company_id: ref.companyId,
    flow_id: ref.flowId,
    version: ref.version,
    asset_key: key,
  });
}

/** Adds a file, in the place of the one with its key. */
export async function putAsset(writer: Writer, row: FlowAssetRow): Promise<void> {
  await putBy(writer, 'flow_assets', ['company_id', 'flow_id', 'asset_key', 'version'], row);
}

/** The files of a draft, or one of them. */
export async function deleteAssets(
  writer: Writer,
  { companyId, flowId }: Pick<FlowRef, 'companyId' | 'flowId'>,
  key?: string,
): Promise<void> {
  const drafts = writer
    .deleteFrom('flow_assets')
    .where('company_id', '=', companyId)
    .where('flow_id', '=', flowId)
    .where('version', '=', DRAFT);
  await (key === undefined ? drafts : drafts.where('asset_key', '=', key)).execute();
}

/** What the different files of a service take, in bytes. */
export async function assetBytes(reader: Reader, { companyId, serviceId }: ServiceRef): Promise<number> {
  const files = reader
    .selectFrom('flow_assets')
    .select(['hash', 'bytes'])
    .distinct()
    .where('company_id', '=', companyId)
    .where('service_id', '=', serviceId);
  const { bytes } = await reader
    .selectFrom(files.as('files'))
    .select((eb) => eb.fn.sum<number | string | null>('files.bytes').as('bytes'))
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

/** The flows of a company with the plugins that they name, in the draft or the latest version. */
export function pluginUses(reader: Reader, companyId: string) {
  return reader
    .selectFrom('flows')
    .leftJoin('flow_versions', (join) =>
      join
        .onRef('flow_versions.company_id', '=', 'flows.company_id')
        .onRef('flow_versions.flow_id', '=', 'flows.id')
        .onRef('flow_versions.version', '=', 'flows.version'),
    )
    .where('flows.company_id', '=', companyId)
    .where('flows.deleted_at', 'is', null)
    .orderBy('flows.id')
    .select([
      'flows.id',
      'flows.service_id',
      'flows.name',
      'flows.plugin_ids',
      'flow_versions.plugin_ids as published_ids',
    ])
    .execute();
}

export function countVersions(reader: Reader, { companyId, flowId }: Pick<FlowRef, 'companyId' | 'flowId'>) {
  return count(
    reader.selectFrom('flow_versions').where('company_id', '=', companyId).where('flow_id', '=', flowId),
  );
}
