import type { KeyBatch } from '@symbolon/protocol';
import { ConfirmedKeys, connectionOf, PeopleKeys, SymbolonError } from '@symbolon/sdk/device';
import { inStore } from '../../inner/stores.ts';
import { portalCall } from './api.ts';

const KEPT = { database: 'symbolon-portal', store: 'people-keys' };

/**
 * The keys of customers that this browser has sealed to. The page of a company does not keep the key of its login, which opens
 * the list of confirmed keys that the platform stores: each browser has a list of its own.
 */
const confirmed = new ConfirmedKeys({
  read: known,
  async remember(keys) {
    const before = await known(Object.keys(keys));
    for (const [name, sha256] of Object.entries(keys)) if (!(name in before)) await keep(name, sha256);
    return { ...keys, ...before };
  },
  async confirm(keys) {
    for (const [name, sha256] of Object.entries(keys)) await keep(name, sha256);
  },
});

async function known(names: readonly string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const name of names) {
    const sha256 = await inStore<string | undefined>(KEPT, 'readonly', (store) => store.get(name));
    if (sha256 !== undefined) found[name] = sha256;
  }
  return found;
}

const keep = (name: string, sha256: string) =>
  inStore<void>(KEPT, 'readwrite', (store) => store.put(sha256, name));

/** The keys of those who take part in runs. */
export const peopleKeys = new PeopleKeys(
  { json: ({ method, path, json }) => portalCall(method, path, json) },
  confirmed,
);

/**
 * The key of a customer, to seal to it.
 * @throws SymbolonError `keys.not_found`; UnconfirmedKeyError `sdk.person_key_changed` when it is another one than before,
 * `sdk.owner_changed` when the connection has another customer than before
 */
export async function keyOfCustomer(connectionId: string, id: string): Promise<string> {
  const { keys } = await portalCall<KeyBatch>('POST', '/api/keys/batch', { user_ids: [id] });
  const publicKey = keys[id];
  if (publicKey === undefined)
    throw new SymbolonError({ errorKey: 'keys.not_found', message: 'This customer has no key any more.' });
  await confirmed.assertConfirmed({ kind: 'person', id, publicKey }, connectionOf(connectionId));
  return publicKey;
}
