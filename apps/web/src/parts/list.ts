import { useCallback, useEffect, useState } from 'react';

/** A list that a page shows: read when the page is opened, and again when it is told to. */
export function useList<T>(read: () => Promise<T>) {
  const [list, setList] = useState<T>();
  const [error, setError] = useState<unknown>();
  const load = useCallback(async () => {
    try {
      setList(await read());
      setError(undefined);
    } catch (failure) {
      setError(failure);
    }
  }, [read]);
  useEffect(() => {
    load();
  }, [load]);
  return { list, error, load };
}
