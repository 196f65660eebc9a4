import { SymbolonError } from '@symbolon/sdk/device';

/** A store of a database of this browser; it is made at its first use. */
interface Place {
  readonly database: string;
  readonly store: string;
  /** The member by which it is walked through in order. */
  readonly index?: string;
}

/** Does one thing in a store. @throws SymbolonError `page.store_refused` where this browser opens none */
export async function inStore<T>(
  place: Place,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest | undefined,
): Promise<T> {
  const database = await open(place).catch((cause: unknown) => {
    const message = 'This browser keeps no data of this site.';
    throw new SymbolonError({ errorKey: 'page.store_refused', message, cause });
  });
  try {
    const transaction = database.transaction(place.store, mode);
    const request = act(transaction.objectStore(place.store));
    return await new Promise<T>((resolve, reject) => {
      transaction.oncomplete = () => resolve(request?.result as T);
      transaction.onabort = () => reject(transaction.error);
      transaction.onerror = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** Reading or clearing: a browser that opens no store has nothing in it. */
export async function ifOpened<T>(done: Promise<T>): Promise<T | undefined> {
  try {
    return await done;
  } catch (error) {
    if (error instanceof SymbolonError && error.errorKey === 'page.store_refused') return undefined;
    throw error;
  }
}

async function open(place: Place): Promise<IDBDatabase> {
  const database = await opened(indexedDB.open(place.database), place);
  if (database.objectStoreNames.contains(place.store)) return database;
  // Another store of the same database was made before this one.
  const { version } = database;
  database.close();
  try {
    return await opened(indexedDB.open(place.database, version + 1), place);
  } catch (error) {
    // Another tab has added a store meanwhile.
    if (error instanceof DOMException && error.name === 'VersionError') return open(place);
    throw error;
  }
}

function opened(request: IDBOpenDBRequest, { store, index }: Place): Promise<IDBDatabase> {
  request.onupgradeneeded = () => {
    if (request.result.objectStoreNames.contains(store)) return;
    const made = request.result.createObjectStore(store);
    if (index !== undefined) made.createIndex(index, index);
  };
  return new Promise((resolve, reject) => {
    request.onsuccess = () => {
      // It ends what it is doing first.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
}
