import { saveField, type ValueInput } from '@symbolon/sdk/device';
import { checkedValue } from './check-value.ts';
import type { Fields, OpenField } from './fields.ts';
import { api } from './inner/api.ts';
import { withConfirmedKeys } from './known-keys.ts';

/**
 * Gives a field another value, for the person and for every service that follows it. A service whose changed key is not
 * confirmed keeps the former one.
 *
 * @throws ValueError
 */
export async function changeField(
  personId: string,
  { id, type }: OpenField,
  value: ValueInput,
  { types, publicKey }: Fields,
): Promise<void> {
  const plaintext = checkedValue(type, value, types.rows);
  await withConfirmedKeys(personId, (keys) => saveField({ api, keys }, { id, plaintext, publicKey }));
}
