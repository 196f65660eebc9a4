import type { WrappedPrivateKey } from '@symbolon/protocol';
import type { DeviceKeys } from '../device.ts';
import { dropKept } from './kept-answers.ts';
import { ifOpened, inStore } from './stores.ts';

/** What this browser keeps of a person who is signed in. */
export type KeptKeys = DeviceKeys & {
  personId: string;
  /** The private key under the password, after a sign-in by it: nothing that can be read. */
  wrapped: WrappedPrivateKey | undefined;
  /** The private key under a passkey, after a sign-in by it: nothing that can be read either. */
  byPasskey?: PasskeyCopy | undefined;
  /** Of the recipe and of the list of confirmed keys: neither may fall. */
  loginVersion: number;
  pinsCounter: number;
  /** Seals what is kept for reading without a network. Browsers that were signed in before there was one have none yet. */
  answersKey?: CryptoKey;
  usedAt: number;
};

/** A copy that the passkey with this credential id opens. */
export type PasskeyCopy = { wrapped: WrappedPrivateKey; credentialId: string };

/** Keys that are not used for this long are forgotten. */
const IDLE_MS = 12 * 60 * 60 * 1000;
const PLACE = { database: 'symbolon', store: 'keys' };

/** The person's keys, as long as they were used in the last 12 hours. */
export async function readKeys(personId: string, now = Date.now()): Promise<KeptKeys | undefined> {
  const kept = await ifOpened(
    inStore<KeptKeys | undefined>(PLACE, 'readonly', (store) => store.get(personId)),
  );
  if (kept === undefined) return undefined;
  // Browsers that were signed in before the public key was kept type the password again.
  if (now - kept.usedAt > IDLE_MS || kept.publicKey === undefined) {
    await forgetKeys();
    return undefined;
  }
  if (now - kept.usedAt > 60_000) await keepKeys({ ...kept, usedAt: now });
  return kept;
}

/** The keys of the person who was the last to sign in here: those of everybody else are forgotten then. */
export async function readLastKeys(): Promise<KeptKeys | undefined> {
  const all = inStore<IDBValidKey[]>(PLACE, 'readonly', (store) => store.getAllKeys());
  const [personId] = (await ifOpened(all)) ?? [];
  return typeof personId === 'string' ? readKeys(personId) : undefined;
}

export async function keepKeys(keys: KeptKeys): Promise<void> {
  await inStore(PLACE, 'readwrite', (store) => store.put(keys, keys.personId));
}

/** Forgets the keys of everybody, and what they have sealed here. */
export async function forgetKeys(): Promise<void> {
  await ifOpened(inStore(PLACE, 'readwrite', (store) => store.clear()));
  await dropKept();
}

/** Remembers the latest list of confirmed keys that was seen here: an older one is refused. */
export async function notePinsCounter(personId: string, pinsCounter: number): Promise<void> {
  const kept = await readKeys(personId);
  if (kept !== undefined && pinsCounter > kept.pinsCounter) await keepKeys({ ...kept, pinsCounter });
}
