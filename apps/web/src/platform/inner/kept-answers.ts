import { encodeHex } from '@symbolon/crypto';
import { serviceWorkers } from './site-worker.ts';
import { ifOpened, inStore } from './stores.ts';

/*
 * Answers of the platform as they last were, for reading without a network: lists, threads, and values and files as they were sealed.
 * Each is sealed once more, to a key that cannot be exported, is kept beside the key of the person, and goes when that goes.
 */

/** What reading needs. Challenges, drafts and sessions are not among it. */
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
/** What the person opened: a document, or a file among their data. */
const OPENED_OFFLINE: readonly RegExp[] = [
  /^\/api\/person\/documents\/[^/?]+\/file$/,
  /^\/api\/person\/fields\/[^/?]+\/file$/,
];
const isOneOf = (patterns: readonly RegExp[], address: string) =>
  patterns.some((pattern) => pattern.test(address));

export const isReadOffline = (address: string): boolean =>
  isOneOf(READ_OFFLINE, address) || isOneOf(OPENED_OFFLINE, address);

/** Where answers of one kind are kept, and how many of which size. */
const ANSWERS = {
  place: { database: 'symbolon-answers', store: 'answers', index: 'at' },
  countMost: 100,
  bytesMost: 2 ** 20,
};
const FILES = {
  place: { database: 'symbolon-files', store: 'files', index: 'at' },
  countMost: 20,
  bytesMost: 8 * 2 ** 20,
};
const shelfOf = (address: string) => (isOneOf(OPENED_OFFLINE, address) ? FILES : ANSWERS);

/** A device that stays without a network hears of no session that was ended elsewhere: it shows what it has for so long. */
const AGE_MOST_MS = 7 * 24 * 60 * 60 * 1000;

interface Kept {
  readonly at: number;
  /** Of the content: files of people come as JSON when they are sealed. */
  readonly type: string;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly sealed: ArrayBuffer;
}
/** Whose answers are kept, and with which key. */
export interface Owner {
  readonly personId: string;
  readonly answersKey: CryptoKey;
}

/** Whether a service worker opens the pages without a network: otherwise nothing is read there. */
export const opensOffline = (): boolean => Boolean(serviceWorkers()?.controller);

let owner: Owner | undefined;
let mayKeep: () => boolean | Promise<boolean> = opensOffline;

export const newAnswersKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);

/**
 * From now on answers are those of this person; undefined: none are kept or shown.
 * @param may whether they are still to be kept; a worker does not see what controls its page
 */
export function keepFor(next: Owner | undefined, may = mayKeep): void {
  owner = next;
  mayKeep = may;
}

/** Takes everything away. */
export async function dropKept(): Promise<void> {
  owner = undefined;
  for (const { place } of [ANSWERS, FILES])
    await ifOpened(inStore(place, 'readwrite', (store) => store.clear()));
}

/** Keeps an answer in place of the former one. What cannot be kept, as without room, keeps the person from nothing. */
export async function keepAnswer(
  address: string,
  bytes: Uint8Array<ArrayBuffer>,
  type = 'application/json',
): Promise<void> {
  const [whose, shelf] = [owner, shelfOf(address)];
  if (whose === undefined || bytes.length > shelf.bytesMost) return;
  try {
    if (!(await mayKeep())) return;
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const at = Date.now();
    const bound = boundTo(whose, address, { at, type });
    const [name, sealed] = await Promise.all([
      nameOf(whose, address),
      crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: bound }, whose.answersKey, bytes),
    ]);
    await inStore(shelf.place, 'readwrite', (store) => {
      // The person may have left meanwhile: what is put now comes after everything was taken away.
      if (owner !== whose) return undefined;
      store.put({ at, type, iv, sealed } satisfies Kept, name);
      makeRoom(store, at, shelf);
      return undefined;
    });
    // A worker learns only afterwards that they have.
    if (!(await mayKeep())) await inStore(shelf.place, 'readwrite', (store) => store.delete(name));
  } catch {}
}

/** The answer as it last was, its type, and when that was; undefined where there is none that this person may read. */
export async function keptAnswer(
  address: string,
  now = Date.now(),
): Promise<{ bytes: Uint8Array<ArrayBuffer>; type: string; at: number } | undefined> {
  const [whose, shelf] = [owner, shelfOf(address)];
  if (whose === undefined) return undefined;
  try {
    const name = await nameOf(whose, address);
    const kept = await inStore<Kept | undefined>(shelf.place, 'readonly', (store) => store.get(name));
    if (kept === undefined || isOld(kept, now)) return undefined;
    const { at, type, iv, sealed } = kept;
    const by = { name: 'AES-GCM', iv, additionalData: boundTo(whose, address, kept) };
    return { bytes: new Uint8Array(await crypto.subtle.decrypt(by, whose.answersKey, sealed)), type, at };
  } catch {
    return undefined;
  }
}

const isOld = ({ at }: Pick<Kept, 'at'>, now: number) => now - at > AGE_MOST_MS;

/** Takes away what is old, and what was kept longest ago where there is too much. */
function makeRoom(store: IDBObjectStore, now: number, { countMost }: typeof ANSWERS): void {
  let count = 0;
  const newestFirst = store.index('at').openKeyCursor(null, 'prev');
  newestFirst.onsuccess = () => {
    const cursor = newestFirst.result;
    if (cursor === null) return;
    count++;
    if (count > countMost || isOld({ at: Number(cursor.key) }, now)) store.delete(cursor.primaryKey);
    cursor.continue();
  };
}

/** An answer opens in its own place alone: not as that of another address, person, time or type. */
const boundTo = ({ personId }: Owner, address: string, { at, type }: Pick<Kept, 'at' | 'type'>) =>
  new TextEncoder().encode(JSON.stringify([personId, address, at, type]));

/** Addresses hold ids of companies and documents: their digest is no list of them. */
async function nameOf({ personId }: Owner, address: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${personId} ${address}`));
  return encodeHex(new Uint8Array(digest));
}
