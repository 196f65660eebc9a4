import { ConfirmedKeys, connectionOf, type NamedKey, Pins } from '@symbolon/sdk/device';
import type { Choices, Request } from './consent.ts';
import { api } from './inner/api.ts';
import { notePinsCounter, readKeys } from './inner/key-store.ts';

/**
 * Refuses to seal to a key that is not the one this person shared with before. That of the app in the address is remembered, and so is that of its
 * service for who is not connected yet.
 *
 * @throws UnconfirmedKeyError `sdk.app_key_changed`, `sdk.service_key_changed`, `sdk.owner_changed`; DecryptionError `sdk.pins_outdated`
 */
export async function requireKeys(
  personId: string,
  request: Request,
  { isConnected, choices }: { isConnected: boolean; choices: Choices },
): Promise<void> {
  const { app, connect } = request;
  const isSealed = request.claims.some(
    ({ name, delivery }) => delivery === 'wrapper' && choices.claims.has(name),
  );
  const appKey = isSealed ? app.public_key : null;
  const service = choices.rows.size > 0 || !isConnected ? connect?.service : undefined;
  if (appKey === null && service === undefined) return;
  await withConfirmedKeys(personId, async (confirmed) => {
    if (appKey !== null)
      await confirmed.assertConfirmed({ kind: 'app', id: app.client_id, publicKey: appKey });
    if (service === undefined) return;
    const asked = { service, isNew: !isConnected, of: { kind: 'site', id: app.client_id } } as const;
    await confirmed.requireFor(Object.fromEntries(choices.rows), asked);
  });
}

/** Remembers whose a connection is that was made. @throws UnconfirmedKeyError `sdk.owner_changed` */
export function keepOwner(personId: string, connectionId: string, serviceId: string): Promise<void> {
  const owned = { ...connectionOf(connectionId), owners: [{ kind: 'service', id: serviceId } as const] };
  return withConfirmedKeys(personId, (confirmed) => confirmed.assertOwners([owned]));
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
