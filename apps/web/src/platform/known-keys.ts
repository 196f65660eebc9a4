import { ConfirmedKeys, type NamedKey, Pins } from '@symbolon/sdk/device';
import type { Choices, Request } from './consent.ts';
import { api } from './inner/api.ts';
import { notePinsCounter, readKeys } from './inner/key-store.ts';

/**
 * Refuses to seal to a key that is not the one this person shared with before. A key is remembered at its first use.
 *
 * @throws UnconfirmedKeyError `sdk.app_key_changed`, `sdk.service_key_changed`; DecryptionError `sdk.pins_outdated`
 */
export async function requireKeys(personId: string, request: Request, choices: Choices): Promise<void> {
  const { app, connect } = request;
  const isSealed = request.claims.some(
    ({ name, delivery }) => delivery === 'wrapper' && choices.claims.has(name),
  );
  const keys: NamedKey[] = [];
  if (isSealed && app.public_key !== null)
    keys.push({ kind: 'app', id: app.client_id, publicKey: app.public_key });
  if (choices.rows.size > 0 && connect !== null)
    keys.push({ kind: 'service', id: connect.service.id, publicKey: connect.service.public_key });
  if (keys.length === 0) return;
  await withConfirmedKeys(personId, async (confirmed) => {
    for (const key of keys) await confirmed.assertConfirmed(key);
  });
}

/** Takes a changed key, after its words were compared with the company. @throws NotFoundError `sdk.key_unknown` */
export async function confirmKey(personId: string, key: NamedKey, words: string): Promise<void> {
  await withConfirmedKeys(personId, (confirmed) => confirmed.confirm(key, words));
}

/** Does something with the list of keys that the person has confirmed. */
export async function withConfirmedKeys<T>(
  personId: string,
  act: (confirmed: ConfirmedKeys) => Promise<T>,
): Promise<T> {
  const kept = await readKeys(personId);
  if (kept === undefined) throw new Error('This browser has no keys of the person.');
  const pins = new Pins(api, {
    address: '/api/person/pins',
    pinsKey: async () => kept.pinsKey,
    lastCounter: kept.pinsCounter,
  });
  try {
    return await act(new ConfirmedKeys(pins));
  } finally {
    await notePinsCounter(personId, pins.counter);
  }
}
