import { hashKey, skipToken, useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { answers, changeFound, type Options, optionsOf, type Query, readAgain } from './queries.ts';

export interface Read<T> {
  readonly found: T | undefined;
  /** Why it could not be read, the last time. */
  readonly error: unknown;
  readonly load: () => Promise<void>;
  /** Changes what was found, after an act of the person. */
  readonly change: (next: (before: T | undefined) => T | undefined) => void;
}

/**
 * What a page shows of the platform: read when the page is opened, when a signal outdates it, and on demand. Answers
 * overtake one another: what an older question is answered, or how it fails, is dropped. What was found stays while it is read again.
 * @param query undefined as long as it cannot be read
 */
export function useRead<T>(query: Query<T> | undefined): Read<T> {
  const options: Options<T> = query ? optionsOf(query) : { queryKey: NOTHING, queryFn: skipToken };
  const { data, error, isFetchedAfterMount, isPlaceholderData } = useQuery<T, unknown>(options, answers);
  const { queryKey } = options;
  const name = hashKey(queryKey);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what an act outdates later stays until it is read again
  const isOutdated = useMemo(() => answers.getQueryState(queryKey)?.isInvalidated === true, [name]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name stands for the key
  const load = useCallback(() => readAgain(queryKey), [name]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the name stands for the key
  const change = useCallback<Read<T>['change']>((next) => changeFound(queryKey, next), [name]);
  const isKept = !query?.isFresh && !isOutdated;
  const isShown = query !== undefined && (isKept || isFetchedAfterMount || isPlaceholderData);
  return {
    found: isShown ? data : undefined,
    error: isShown ? (error ?? undefined) : undefined,
    load,
    change,
  };
}

const NOTHING = ['nothing'] as const;
