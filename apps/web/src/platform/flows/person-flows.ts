import { FieldTypeRegistry } from '@symbolon/field-types';
import type { CustomerFlowRun, FieldTypeRow } from '@symbolon/protocol';
import { type OpenFlowRun, PersonFlows } from '@symbolon/sdk/device';
import { call } from '../inner/api.ts';
import type { Bearer } from '../inner/files.worker.ts';
import { keyOf } from '../inner/opening-key.ts';

/** A run of a flow, as the person takes part in it. */
export type Run = CustomerFlowRun;
export type OpenRun = OpenFlowRun<Run>;

type Parts = ConstructorParameters<typeof PersonFlows>[0];

/** The person's runs. */
export function flowsOf(by: Bearer, parts: Pick<Parts, 'api' | 'confirmed' | 'picture'>): PersonFlows {
  return new PersonFlows({
    ...parts,
    person: () => ({ person_user_id: by.personId, public_key: by.publicKey }),
    fieldTypes: async () =>
      new FieldTypeRegistry(await call<FieldTypeRow[]>('GET', '/api/contact-field-types')),
    key: () => keyOf(by),
  });
}
