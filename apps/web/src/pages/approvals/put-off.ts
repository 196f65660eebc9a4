import { useSyncExternalStore } from 'react';

/** The cards that the person has put off, and the one that they want to see. */
interface Order {
  readonly putOff: ReadonlySet<string>;
  readonly wanted: string | undefined;
}

const NOTHING: Order = { putOff: new Set(), wanted: undefined };
let order = NOTHING;
const listeners = new Set<() => void>();

function become(next: Order): void {
  order = next;
  for (const listener of listeners) listener();
}

export const useOrder = (): Order =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => order,
  );

/** Leaves a card for now: it comes back when the app is looked at again. */
export const putOff = (id: string): void =>
  become({ putOff: new Set([...order.putOff, id]), wanted: undefined });

/** Shows this card before the others. */
export const want = (id: string): void =>
  become({ putOff: new Set([...order.putOff].filter((each) => each !== id)), wanted: id });

/** Shows again what was put off. */
export const askAgain = (): void => become(NOTHING);
