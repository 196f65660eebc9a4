import type {
  FieldTypeRow,
  Flow,
  FlowAsset,
  FlowDefinition,
  FlowVersion,
  FlowVersionList,
  Plugin,
  PublishedFlow,
} from '@symbolon/protocol';
import { jsonOf } from '@symbolon/sdk/device';
import type { Query } from '../queries.ts';
import { portalCall, portalFileCall } from './inner/api.ts';
import { portalKeys } from './keys.ts';
import { listPlugins } from './plugins.ts';
import { readService } from './services.ts';

/** A flow in its service. */
export interface FlowPlace {
  readonly serviceId: string;
  readonly flowId: string;
}

export const flowsOf = (serviceId: string) => `/api/services/${serviceId}/flows`;
const at = ({ serviceId, flowId }: FlowPlace) => `${flowsOf(serviceId)}/${flowId}`;
const ZIP = 'application/zip';

export const createFlow = (serviceId: string, definition: FlowDefinition) =>
  portalCall<Flow>('POST', flowsOf(serviceId), { name: definition.name, definition });

/** @param content of a package. @throws SymbolonError */
export async function importFlow(serviceId: string, content: Uint8Array<ArrayBuffer>): Promise<Flow> {
  const path = `${flowsOf(serviceId)}/import`;
  return jsonOf(await portalFileCall({ method: 'POST', path, file: { type: ZIP, content } })) as Flow;
}

export const readFlow = (place: FlowPlace) => portalCall<Flow>('GET', at(place));
export const flowQuery = (place: FlowPlace): Query<Flow> => ({
  key: portalKeys.companyFlow(place.serviceId, place.flowId),
  read: () => readFlow(place),
});

/** A flow with what its editor needs to know beside it. */
export interface FlowToEdit {
  readonly flow: Flow;
  readonly serviceName: string;
  readonly rows: readonly FieldTypeRow[];
  readonly plugins: readonly Plugin[];
}

export const flowToEditQuery = (place: FlowPlace): Query<FlowToEdit> => ({
  key: portalKeys.flowToEdit(place.serviceId, place.flowId),
  async read() {
    const [flow, service, rows, plugins] = await Promise.all([
      readFlow(place),
      readService(place.serviceId),
      portalCall<FieldTypeRow[]>('GET', '/api/contact-field-types'),
      listPlugins(),
    ]);
    return { flow, serviceName: service.name, rows, plugins };
  },
  isFresh: true,
});

/** Saves the draft when it is still the revision that was read. */
export const saveFlow = (place: FlowPlace, revision: number, definition: FlowDefinition) =>
  portalCall<Flow>('PUT', at(place), { revision, name: definition.name, definition });

export const deleteFlow = (place: FlowPlace) => portalCall<void>('DELETE', at(place));

export const publishFlow = (place: FlowPlace, revision: number) =>
  portalCall<PublishedFlow>('POST', `${at(place)}/publish`, { revision });

const listVersions = (place: FlowPlace) => portalCall<FlowVersionList>('GET', `${at(place)}/versions`);

/** A flow with what was published of it, the latest first. */
export interface FlowWithVersions {
  readonly flow: Flow;
  readonly versions: FlowVersionList['versions'];
  readonly rows: readonly FieldTypeRow[];
}

export const flowWithVersionsQuery = (place: FlowPlace): Query<FlowWithVersions> => ({
  key: portalKeys.companyFlowVersions(place.serviceId, place.flowId),
  async read() {
    const [flow, { versions }, rows] = await Promise.all([
      readFlow(place),
      listVersions(place),
      portalCall<FieldTypeRow[]>('GET', '/api/contact-field-types'),
    ]);
    return { flow, versions, rows };
  },
  isFresh: true,
});

/** What was published is never changed. */
export const versionQuery = (place: FlowPlace, version: number): Query<FlowVersion> => ({
  key: portalKeys.companyFlowVersion(place.serviceId, place.flowId, String(version)),
  read: () => portalCall('GET', `${at(place)}/versions/${version}`),
});

/** The package of the draft, or of a version. */
export async function exportFlow(place: FlowPlace, version?: number): Promise<Blob> {
  const query = version === undefined ? {} : { version };
  const answer = await portalFileCall({ method: 'GET', path: `${at(place)}/package`, query, accept: ZIP });
  return new Blob([answer.bytes], { type: ZIP });
}

const assetAt = (place: FlowPlace, key: string) => `${at(place)}/assets/${encodeURIComponent(key)}`;

export async function putAsset(place: FlowPlace, key: string, file: File): Promise<FlowAsset> {
  const content = new Uint8Array(await file.arrayBuffer());
  const answer = await portalFileCall({
    method: 'PUT',
    path: assetAt(place, key),
    query: { original_name: file.name.slice(0, 200) },
    file: { type: 'application/pdf', content },
  });
  return jsonOf(answer) as FlowAsset;
}

/** A PDF of a flow. What stands under its key may be replaced: its content names it. */
export const assetQuery = (place: FlowPlace, { asset_key: key, sha256 }: FlowAsset): Query<Uint8Array> => ({
  key: portalKeys.asset(place.serviceId, place.flowId, key, sha256),
  async read() {
    const call = { method: 'GET', path: assetAt(place, key), accept: 'application/pdf' } as const;
    return (await portalFileCall(call)).bytes;
  },
});

export const deleteAsset = (place: FlowPlace, key: string) => portalCall<void>('DELETE', assetAt(place, key));
