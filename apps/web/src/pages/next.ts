import { useRouter } from '@tanstack/react-router';

/** Where a page leads when it is done: an address of this site in the query, or the approvals. */
export function useNext() {
  const router = useRouter();
  const wanted = new URLSearchParams(location.search).get('next');
  const next = wanted === null ? undefined : pathOf(wanted);
  return {
    search: next === undefined ? {} : { next },
    go: () => router.history.push(next ?? '/me/approvals'),
  };
}

/** The path of an address of this very site; undefined for every other one. */
export function pathOf(wanted: string, origin = location.origin): string | undefined {
  if (!wanted.startsWith('/') || !URL.canParse(wanted, origin)) return undefined;
  const url = new URL(wanted, origin);
  return url.origin === origin ? url.pathname + url.search : undefined;
}
