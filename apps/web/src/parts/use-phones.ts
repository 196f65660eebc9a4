import { useSyncExternalStore } from 'react';

type Phones = typeof import('../platform/phones.ts');

let loaded: Phones | undefined;
let isLoading = false;
const listeners = new Set<() => void>();

function load(): void {
  if (isLoading) return;
  isLoading = true;
  import('../platform/phones.ts')
    .then((phones) => {
      loaded = phones;
      for (const listener of listeners) listener();
    })
    // Without it numbers are typed and shown as they are: the next page tries again.
    .catch(() => {
      isLoading = false;
    });
}

/** What is known of telephone numbers, once it is loaded. @param isNeeded whether there is one here */
export function usePhones(isNeeded = true): Phones | undefined {
  return useSyncExternalStore(
    (listener) => {
      if (isNeeded) load();
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => (isNeeded ? loaded : undefined),
  );
}
