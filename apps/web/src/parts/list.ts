import { useCallback, useEffect, useState } from 'react';
import { newestOnly } from './newest.ts';

/** A list that a page shows: read when the page is opened, and again when it is told to. */
export function useList<T>(read: () => Promise<T>) {
  const [list, setList] = useState<T>();
  const [error, setError] = useState<unknown>();
  const [newest] = useState(newestOnly);
  const load = useCallback(
    () =>
      newest(read, {
        done: (found) => {
          setList(() => found);
          setError(undefined);
        },
        failed: setError,
      }),
    [read, newest],
  );
  useEffect(() => {
    load();
  }, [load]);
  return { list, error, load };
}
