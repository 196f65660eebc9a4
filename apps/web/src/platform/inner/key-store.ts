import type { WrappedPrivateKey } from '@symbolon/protocol';
import type { DeviceKeys } from '../device.ts';

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
  usedAt: number;
};

/** A copy that the passkey with this credential id opens. */
export type PasskeyCopy = { wrapped: WrappedPrivateKey; credentialId: string };

/** Keys that are not used for this long are forgotten. */
const IDLE_MS = 12 * 60 * 60 * 1000;
const STORE = 'keys';

/** The person's keys, as long as they were used in the last 12 hours. */
export async function readKeys(personId: string, now = Date.now()): Promise<KeptKeys | undefined> {
  const kept = await inStore<KeptKeys | undefined>('readonly', (store) => store.get(personId));
  if (kept === undefined) return undefined;
  if (now - kept.usedAt > IDLE_MS) {
    await forgetKeys();
    return undefined;
  }
  if (now - kept.usedAt > 60_000) await keepKeys({ ...kept, usedAt: now });
  return kept;
}

export async function keepKeys(keys: KeptKeys): Promise<void> {
  await inStore('readwrite', (store) => store.put(keys, keys.personId));
}

/** Forgets the keys of everybody. */
export async function forgetKeys(): Promise<void> {
  await inStore('readwrite', (store) => store.clear());
}

async function inStore<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest): Promise<T> {
  const database = await open();
  try {
    const transaction = database.transaction(STORE, mode);
    const request = act(transaction.objectStore(STORE));
    return await new Promise<T>((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result as T);
      transaction.onabort = () => reject(transaction.error);
      transaction.onerror = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

function open(): Promise<IDBDatabase> {
  const request = indexedDB.open('symbolon', 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error('Another page holds the store of keys.'));
  });
}

/** Remembers the latest list of confirmed keys that was seen here: an older one is refused. */
export async function notePinsCounter(personId: string, pinsCounter: number): Promise<void> {
  const kept = await readKeys(personId);
  if (kept !== undefined && pinsCounter > kept.pinsCounter) await keepKeys({ ...kept, pinsCounter });
}
