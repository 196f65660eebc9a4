import { encodeHex } from '@symbolon/crypto';
import { serviceWorkers } from './site-worker.ts';
import { ifOpened, inStore } from './stores.ts';

/*
 * Answers of the platform as they last were, for reading without a network: lists, threads, and values as they were sealed. Each is
 * sealed once more, to a key that cannot be exported, is kept beside the key of the person, and goes when that goes.
 */

/** What reading needs. Challenges, drafts, sessions and files are not among it. */
const READ_OFFLINE: readonly RegExp[] = [
  /^\/api\/contact-field-types$/,
  /^\/api\/person\/fields\?/,
  /^\/api\/person\/connections$/,
  /^\/api\/person\/connections\/[^/?]+$/,
  // The newest page of a thread: older ones are asked for by an act.
  /^\/api\/person\/connections\/[^/?]+\/messages\?limit=\d+$/,
  /^\/api\/person\/messages$/,
  /^\/api\/person\/documents$/,
  /^\/api\/person\/documents\/[^/?]+$/,
  /^\/api\/person\/flow-runs$/,
  /^\/api\/person\/consents$/,
  /^\/api\/person\/connect-requests$/,
];
export const isReadOffline = (address: string): boolean =>
  READ_OFFLINE.some((pattern) => pattern.test(address));

/** A device that stays without a network hears of no session that was ended elsewhere: it shows what it has for so long. */
const AGE_MOST_MS = 7 * 24 * 60 * 60 * 1000;
const COUNT_MOST = 100;
const BYTES_MOST = 1024 * 1024;

interface Kept {
  readonly at: number;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly sealed: ArrayBuffer;
}
/** Whose answers are kept, and with which key. */
export interface Owner {
  readonly personId: string;
  readonly answersKey: CryptoKey;
}

const PLACE = { database: 'symbolon-answers', store: 'answers', index: 'at' };

let owner: Owner | undefined;

export const newAnswersKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);

/** From now on answers are those of this person; undefined: none are kept or shown. */
export function keepFor(next: Owner | undefined): void {
  owner = next;
}

/** Takes everything away. */
export async function dropKept(): Promise<void> {
  owner = undefined;
  await ifOpened(inStore(PLACE, 'readwrite', (store) => store.clear()));
}

/** Keeps an answer in place of the former one. What cannot be kept, as without room, keeps the person from nothing. */
export async function keepAnswer(address: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  const whose = owner;
  // Where no service worker opens the pages without a network, nothing is read there.
  if (whose === undefined || bytes.length > BYTES_MOST || !serviceWorkers()?.controller) return;
  try {
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const at = Date.now();
    const bound = boundTo(whose, address, at);
    const [name, sealed] = await Promise.all([
      nameOf(whose, address),
      crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: bound }, whose.answersKey, bytes),
    ]);
    await inStore(PLACE, 'readwrite', (store) => {
      // The person may have left meanwhile: what is put now comes after everything was taken away.
      if (owner !== whose) return undefined;
      store.put({ at, iv, sealed } satisfies Kept, name);
      makeRoom(store, at);
      return undefined;
    });
  } catch {}
}

/** The answer as it last was, and when that was; undefined where there is none that this person may read. */
export async function keptAnswer(
  address: string,
  now = Date.now(),
): Promise<{ bytes: Uint8Array<ArrayBuffer>; at: number } | undefined> {
  const whose = owner;
  if (whose === undefined) return undefined;
  try {
    const name = await nameOf(whose, address);
    const kept = await inStore<Kept | undefined>(PLACE, 'readonly', (store) => store.get(name));
    if (kept === undefined || isOld(kept, now)) return undefined;
    const { at, iv, sealed } = kept;
    const by = { name: 'AES-GCM', iv, additionalData: boundTo(whose, address, at) };
    return { bytes: new Uint8Array(await crypto.subtle.decrypt(by, whose.answersKey, sealed)), at };
  } catch {
    return undefined;
  }
}

const isOld = ({ at }: Pick<Kept, 'at'>, now: number) => now - at > AGE_MOST_MS;

/** Takes away what is old, and what was kept longest ago where there is too much. */
function makeRoom(store: IDBObjectStore, now: number): void {
  let count = 0;
  const newestFirst = store.index('at').openKeyCursor(null, 'prev');
  newestFirst.onsuccess = () => {
    const cursor = newestFirst.result;
    if (cursor === null) return;
    count++;
    if (count > COUNT_MOST || isOld({ at: Number(cursor.key) }, now)) store.delete(cursor.primaryKey);
    cursor.continue();
  };
}

/** An answer opens in its own place alone: not as that of another address, another person or another time. */
const boundTo = ({ personId }: Owner, address: string, at: number) =>
  new TextEncoder().encode(JSON.stringify([personId, address, at]));

/** Addresses hold ids of companies and documents: their digest is no list of them. */
async function nameOf({ personId }: Owner, address: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${personId} ${address}`));
  return encodeHex(new Uint8Array(digest));
}
