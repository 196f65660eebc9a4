import { FieldTypeRegistry } from '@symbolon/field-types';
import type { CustomerFlowRun, FieldTypeRow } from '@symbolon/protocol';
import { type OpenFlowRun, PersonFlows, SymbolonError } from '@symbolon/sdk/device';
import { call } from '../api.ts';
import type { Bearer } from '../files.worker.ts';

/** A run of a flow, as the person takes part in it. */
export type Run = CustomerFlowRun;
export type OpenRun = OpenFlowRun<Run>;

type Parts = ConstructorParameters<typeof PersonFlows>[0];

/** The person's runs. */
export function flowsOf(
  { personId, publicKey, key }: Bearer,
  parts: Pick<Parts, 'api' | 'confirmed' | 'picture'>,
): PersonFlows {
  return new PersonFlows({
    ...parts,
    person: () => ({ person_user_id: personId, public_key: publicKey }),
    fieldTypes: async () =>
      new FieldTypeRegistry(await call<FieldTypeRow[]>('GET', '/api/contact-field-types')),
    key() {
      if (key !== undefined) return key;
      throw new SymbolonError({ errorKey: 'sdk.key_locked', message: 'This browser has no key.' });
    },
  });
}
