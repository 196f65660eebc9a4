import { useRouter } from '@tanstack/react-router';
import { pathOf } from './next-path.ts';

/** Where a page leads when it is done: an address of this site in the query, or else `otherwise`. */
export function useNext(otherwise = '/me') {
  const router = useRouter();
  const wanted = new URLSearchParams(location.search).get('next');
  const path = wanted === null ? undefined : pathOf(wanted);
  return { path, go: () => router.history.push(path ?? otherwise) };
}
