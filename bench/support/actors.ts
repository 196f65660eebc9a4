import type { RequestFieldInput } from '@symbolon/protocol';
import {
  connect,
  createDataClient,
  createField,
  createService as createPlainService,
  tokenForm as formOf,
  registerCompany,
  registerPerson,
  sealed,
  type TestDataClient,
  type TestPlace,
  type TestService,
  tokenFor,
} from '@symbolon/testkit/actors/actors';
import type { Callable } from '@symbolon/testkit/platform/calls';
import type { LoadRequest } from './load.ts';
import type { Platform } from './platform.ts';

/** A company's service with its data client. */
export type BenchService = TestService & TestDataClient;

/** A request row. */
export const row = (slug: string, type: RequestFieldInput['type'] = 'text') => ({ slug, label: slug, type });

/** Five rows of everyday types. */
export const FIVE_ROWS: readonly RequestFieldInput[] = [
  row('email', 'email'),
  ...['given_name', 'family_name', 'city', 'note'].map((slug) => row(slug)),
];

export async function createService(platform: Callable, rows = FIVE_ROWS): Promise<BenchService> {
  const company = await registerCompany(platform, 'Bench');
  const service = await createPlainService(platform, company, rows);
  return { ...service, ...(await createDataClient(platform, service)) };
}

/** The form of the token route. */
export function tokenForm({ clientId, clientSecret }: BenchService): URLSearchParams {
  return formOf(clientId, clientSecret);
}

export function dataToken(platform: Callable, service: BenchService): Promise<string> {
  return tokenFor(platform, service.clientId, service.clientSecret);
}

/** Where an answer of a person is. */
export interface Slot {
  readonly connectionId: string;
  readonly requestFieldId: string;
}

/** A person connected to a service, whose one field answers one of its rows live. */
export interface BenchPerson extends Slot {
  readonly id: string;
  readonly token: string;
  readonly fieldId: string;
}

export async function connectPerson(
  platform: Callable,
  service: TestPlace,
  slug = 'city',
): Promise<BenchPerson> {
  const { id, token } = await registerPerson(platform);
  const fieldId = await createField(platform, { token }, { type: 'text', slug, value: 'London' });
  return { id, token, fieldId, ...(await connectField(platform, { token, fieldId }, service, slug)) };
}

/** Connects a person whose field answers a row live. */
export async function connectField(
  platform: Callable,
  { token, fieldId }: Pick<BenchPerson, 'token' | 'fieldId'>,
  service: TestPlace,
  slug = 'city',
): Promise<Slot> {
  const answers = { [slug]: { field: fieldId, value: 'London' } };
  const connectionId = await connect(platform, { token }, service, answers);
  return { connectionId, requestFieldId: service.rows[slug] ?? '' };
}

/** An edit of the person's field: its own copy, and one for each slot. */
export function editOf(
  person: Pick<BenchPerson, 'token' | 'fieldId'>,
  value: string,
  slots: readonly Slot[],
) {
  const copies = slots.map(({ connectionId, requestFieldId }) => ({
    connection_id: connectionId,
    request_field_id: requestFieldId,
    value,
  }));
  const path = `/api/person/fields/${person.fieldId}`;
  return { method: 'PUT', path, token: person.token, body: { value, copies } } as const;
}

export function editRequest(platform: Platform, person: BenchPerson, value: string): LoadRequest {
  const { method, path, token, body } = editOf(person, value, [person]);
  return {
    url: platform.url + path,
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** The same text sealed so many times, each under a key of its own. */
export function sealedValues(count: number, text: (index: number) => string): Promise<string[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => sealed(text(index))));
}
