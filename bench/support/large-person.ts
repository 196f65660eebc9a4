import { personAccount } from '@symbolon/testkit/actors/accounts';
import type { Calls } from './calls.ts';
import { type LargeWorld, unique } from './large.ts';
import { sealed } from './people.ts';

/** A person with one field, who is signed in. */
export interface LargePerson {
  readonly token: string;
  readonly fieldId: string;
  readonly value: string;
}

interface Copy {
  readonly connection_id: string;
  readonly request_field_id: string;
}

export async function newPerson(calls: Calls, world: LargeWorld): Promise<LargePerson> {
  const value = sealed(world.service, 'lovelace@example.com');
  const account = personAccount(world.service.keys.publicKey);
  const { body } = await calls.must<{ access_token: string }>({
    method: 'POST',
    path: '/api/person/register',
    json: { email: `person-${unique()}@example.com`, account },
  });
  const token = body.access_token;
  const field = await calls.must<{ id: string }>({
    method: 'POST',
    path: '/api/person/fields',
    token,
    json: { type: 'text', slug: 'city', label: 'city', value },
  });
  return { token, fieldId: field.body.id, value };
}

/** Connects a person to a service, with the field live in a row when one is named. */
export async function connect(
  calls: Calls,
  person: LargePerson,
  place: { companyCode: string; code: string; rowId?: string | undefined },
): Promise<{ id: string; ms: number }> {
  const { body, ms } = await calls.must<{ connection_id: string }>({
    method: 'POST',
    path: '/api/person/connections',
    token: person.token,
    json: {
      company_code: place.companyCode,
      service_code: place.code,
      decisions:
        place.rowId === undefined
          ? []
          : [{ request_field_id: place.rowId, kind: 'live', field_id: person.fieldId, value: person.value }],
    },
  });
  return { id: body.connection_id, ms };
}

/** Edits the person's field, with a copy for each place. */
export async function edit(calls: Calls, person: LargePerson, places: readonly Copy[]): Promise<number> {
  const copies = places.map(({ connection_id, request_field_id }) => ({
    connection_id,
    request_field_id,
    value: person.value,
  }));
  const { ms } = await calls.must({
    method: 'PUT',
    path: `/api/person/fields/${person.fieldId}`,
    token: person.token,
    json: { value: person.value, copies },
  });
  return ms;
}
