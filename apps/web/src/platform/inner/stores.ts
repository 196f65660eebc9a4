/** A store of a database of this browser; it is made at its first use. */
interface Place {
  readonly database: string;
  readonly store: string;
  /** The member by which it is walked through in order. */
  readonly index?: string;
}

/** Does one thing in a store. */
export async function inStore<T>(
  place: Place,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest | undefined,
): Promise<T> {
  const database = await open(place);
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

function open({ database, store, index }: Place): Promise<IDBDatabase> {
  const request = indexedDB.open(database, 1);
  request.onupgradeneeded = () => {
    const made = request.result.createObjectStore(store);
    if (index !== undefined) made.createIndex(index, index);
  };
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
    request.onblocked = () => reject(new Error(`Another page holds the store of ${store}.`));
  });
}
