import { serializeWrapper } from '@symbolon/crypto';
import { sealTextSync } from '@symbolon/crypto/node';
import { personAccount } from '@symbolon/testkit/actors/accounts';
import type { BenchService } from './actors.ts';
import type { LoadRequest } from './load.ts';
import type { Platform } from './platform.ts';

/** A person connected to a service, whose one field answers one of its rows live. */
export interface BenchPerson {
  readonly token: string;
  readonly fieldId: string;
  readonly connectionId: string;
  readonly requestFieldId: string;
}

/** Registers a person, makes a field and connects it, through the API. */
export async function connectPerson(platform: Platform, service: BenchService): Promise<BenchPerson> {
  const { access_token: token } = await platform.call<{ access_token: string }>(
    'POST',
    '/api/person/register',
    {
      json: {
        email: `person-${crypto.randomUUID()}@example.com`,
        account: personAccount(service.keys.publicKey),
      },
    },
  );
  const field = await platform.call<{ id: string }>('POST', '/api/person/fields', {
    token,
    json: { type: 'text', slug: 'city', label: 'city', value: sealed(service, 'London') },
  });
  const row = service.rows.find(({ slug }) => slug === 'city');
  if (row === undefined) throw new Error('The service has no row for it.');
  const { connection_id } = await platform.call<{ connection_id: string }>(
    'POST',
    '/api/person/connections',
    {
      token,
      json: {
        company_code: service.companyCode,
        service_code: service.code,
        decisions: [
          { request_field_id: row.id, kind: 'live', field_id: field.id, value: sealed(service, 'London') },
        ],
      },
    },
  );
  return { token, fieldId: field.id, connectionId: connection_id, requestFieldId: row.id };
}

/** An edit of the person's field: its own copy, and one for the service. */
export function editRequest(platform: Platform, person: BenchPerson, value: string): LoadRequest {
  return {
    url: `${platform.url}/api/person/fields/${person.fieldId}`,
    method: 'PUT',
    headers: { authorization: `Bearer ${person.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      value,
      copies: [{ connection_id: person.connectionId, request_field_id: person.requestFieldId, value }],
    }),
  };
}

export function sealed(service: BenchService, text: string): string {
  return serializeWrapper(sealTextSync(text, service.keys.publicKey));
}
