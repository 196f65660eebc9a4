import type { WrappedPrivateKey } from '@symbolon/protocol';
import { inStore } from '../../inner/stores.ts';

/** The private key of the login that is signed in, under its password: nothing that can be read. */
const PLACE = { database: 'symbolon-portal', store: 'keys' };

export async function keepLoginKey(loginId: string, wrapped: WrappedPrivateKey): Promise<void> {
  await forgetLoginKey();
  await inStore(PLACE, 'readwrite', (store) => store.put(wrapped, loginId));
}

export const keptLoginKey = (loginId: string): Promise<WrappedPrivateKey | undefined> =>
  inStore(PLACE, 'readonly', (store) => store.get(loginId));

export const forgetLoginKey = (): Promise<void> => inStore(PLACE, 'readwrite', (store) => store.clear());
