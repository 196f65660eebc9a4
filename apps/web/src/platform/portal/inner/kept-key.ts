import type { WrappedPrivateKey } from '@symbolon/protocol';
import { ifOpened, inStore } from '../../inner/stores.ts';

/** The private key of the login that is signed in, under its password: nothing that can be read. */
const PLACE = { database: 'symbolon-portal', store: 'keys' };

export async function keepLoginKey(loginId: string, wrapped: WrappedPrivateKey): Promise<void> {
  await forgetLoginKey();
  await inStore(PLACE, 'readwrite', (store) => store.put(wrapped, loginId));
}

export const keptLoginKey = (loginId: string): Promise<WrappedPrivateKey | undefined> =>
  ifOpened(inStore<WrappedPrivateKey>(PLACE, 'readonly', (store) => store.get(loginId)));

export const forgetLoginKey = (): Promise<void> =>
  ifOpened(inStore<void>(PLACE, 'readwrite', (store) => store.clear()));
