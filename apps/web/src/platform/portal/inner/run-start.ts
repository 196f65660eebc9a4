import { openText } from '@symbolon/crypto';
import { FieldTypeRegistry } from '@symbolon/field-types';
import type { CompanyConnection, FieldTypeRow, FlowVersion, RequestFieldConfig } from '@symbolon/protocol';
import {
  BinaryHandle,
  openFileAnswer,
  type SharedAnswers,
  type StartedVersion,
  type StartParts,
  typedValue,
} from '@symbolon/sdk/device';
import { portalCall, portalFileCall } from './api.ts';
import type { OpenKey } from './copies.worker.ts';
import { peopleKeys } from './people-keys.ts';

/** A flow of the company, in the version that is started. */
export interface StartPlace {
  readonly companyId: string;
  readonly serviceId: string;
  readonly flowId: string;
  readonly version: number;
}

/** What starts a run of a flow with what its customers share, opened by the key of the service. Without a key nothing is opened. */
export async function startOf(
  { companyId, serviceId, flowId, version }: StartPlace,
  key: OpenKey | undefined,
): Promise<[StartParts, StartedVersion]> {
  const service = `/api/services/${serviceId}`;
  const flow = `${service}/flows/${flowId}`;
  const [{ definition }, { request_fields: rows }, fieldTypes] = await Promise.all([
    portalCall<FlowVersion>('GET', `${flow}/versions/${version}`),
    portalCall<RequestFieldConfig>('GET', `${service}/request-fields`),
    portalCall<FieldTypeRow[]>('GET', '/api/contact-field-types'),
  ]);
  const registry = new FieldTypeRegistry(fieldTypes);
  const bySlug = new Map(rows.map((row) => [row.slug, row]));
  const connection = async (id: string): Promise<SharedAnswers> => {
    const customer = `${service}/customers/${id}`;
    const found = await portalCall<CompanyConnection>('GET', customer);
    await peopleKeys.requireCustomers([found]);
    const values: Record<string, SharedAnswers['values'][string]> = Object.create(null);
    for (const [slug, wire] of Object.entries(found.values)) {
      const row = bySlug.get(slug);
      if (key === undefined || row === undefined) continue;
      // What was sealed to a former key is as if it were not shared.
      const text = wire.value && (await openText(wire.value, key.key).catch(() => undefined));
      if (text) values[slug] = { value: typedValue(text, row.type, registry) };
      else if (wire.value_url) values[slug] = { value: fileAt(`${customer}/slots/${row.id}/file`, key) };
    }
    return { personId: found.user_id, values, valuesPrivate: found.values_private };
  };
  const parts: StartParts = {
    api: { json: ({ method, path, json }) => portalCall(method, path, json) },
    ...{ flow, companyId, connection, people: peopleKeys },
    ownKey: () => {
      if (key === undefined) throw new Error('The key of the service is not open.');
      return key.publicKey;
    },
  };
  const types = Object.fromEntries(rows.map(({ slug, type }) => [slug, type]));
  return [parts, { definition, version, types }];
}

function fileAt(path: string, { key }: OpenKey): BinaryHandle {
  const facts = { path, expiredAt: null, contentSha256: null };
  return new BinaryHandle(facts, async () => {
    const answer = await portalFileCall({ method: 'GET', path, accept: '*/*' });
    const content = await openFileAnswer(answer, () => key);
    return { source: 'encrypted', verified: false, contentSha256: null, ...content };
  });
}
