import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { Reading } from './reading.ts';

/**
 * What a page shows of the platform: read when the page is opened, when it asks for something else, and when it is told to.
 * @param about stands for what is asked: while it is the same, what was found stays until there is newer
 */
export function useRead<T>(ask: () => Promise<T>, about: unknown = ask) {
  return useMerged<T, T>(ask, newest, about);
}

/** The same, where an answer is only a part of what is shown. @param merge stays the same function */
export function useMerged<A, T>(
  ask: () => Promise<A>,
  merge: (answer: A, before: T | undefined) => T,
  about: unknown = ask,
) {
  const [reading] = useState(() => new Reading<T>());
  useSyncExternalStore(reading.subscribe, reading.stand);
  const load = useCallback(() => reading.read(about, ask, merge), [reading, about, ask, merge]);
  useEffect(() => {
    load();
  }, [load]);
  const change = useCallback(
    (next: (before: T | undefined) => T | undefined) => {
      if (reading.change(about, next)) load();
    },
    [reading, about, load],
  );
  return { ...reading.of(about), load, change };
}

const newest = <T>(answer: T): T => answer;
