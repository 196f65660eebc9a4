import { hashKey, skipToken, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { answers, type Query } from './queries.ts';

/** How long plaintext stays after its page: as long as a page takes to be drawn once more. */
const FRESH_MS = 1_000;
const NOTHING = ['nothing'] as const;

export interface Read<T> {
  readonly found: T | undefined;
  /** Why it could not be read, the last time. */
  readonly error: unknown;
  readonly load: () => Promise<void>;
  /** Changes what was found, after an act of the person. */
  readonly change: (next: (before: T | undefined) => T | undefined) => void;
}

/**
 * What a page shows of the platform: read when the page is opened, when something happened to it, and when it is told to. Answers
 * overtake one another: what an older question is answered, or how it fails, is dropped. What was found stays while it is read again.
 * @param query undefined as long as it cannot be read
 */
export function useRead<T>(query: Query<T> | undefined): Read<T> {
  const queryKey = query === undefined ? NOTHING : [...query.key, query.part ?? ''];
  const name = hashKey(queryKey);
  const { data, error, isFetchedAfterMount, isPlaceholderData, refetch } = useQuery<T, unknown>(
    {
      queryKey,
      queryFn: query ? () => query.read(answers.getQueryData<T>(queryKey)) : skipToken,
      placeholderData: (before, asked) =>
        asked !== undefined && hashKey(asked.queryKey.slice(0, -1)) === hashKey(queryKey.slice(0, -1))
          ? before
          : undefined,
      ...(query?.isFresh && { gcTime: FRESH_MS }),
    },
    answers,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what an act outdates later stays until it is read again
  const isOutdated = useMemo(() => answers.getQueryState(queryKey)?.isInvalidated === true, [name]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name stands for the key
  const load = useCallback(async () => {
    // What was asked before an act of the person does not tell what came of it.
    answers.cancelQueries({ queryKey, exact: true });
    if (queryKey !== NOTHING) await refetch();
  }, [name, refetch]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name stands for the key
  const change = useCallback(
    (next: (before: T | undefined) => T | undefined) => {
      const isAsked = answers.isFetching({ queryKey, exact: true }) > 0;
      answers.cancelQueries({ queryKey, exact: true });
      answers.setQueryData<T>(queryKey, next);
      if (isAsked) refetch();
    },
    [name, refetch],
  );
  const isKept = !query?.isFresh && !isOutdated;
  const isShown = query !== undefined && (isKept || isFetchedAfterMount || isPlaceholderData);
  return {
    found: isShown ? data : undefined,
    error: isShown ? (error ?? undefined) : undefined,
    load,
    change,
  };
}
