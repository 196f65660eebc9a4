import { useEffect } from 'react';
import type { Begun, Draft } from '../platform/drafts.ts';

/** Keeps what stands in a form a moment after the last change, and when the page is left or put aside. */
export function useKeptDraft<Value>(draft: Draft<Value> | undefined, now: Begun<Value> | undefined): void {
  useEffect(() => {
    if (now !== undefined) draft?.keep(now);
  }, [draft, now]);
  useEffect(() => {
    const leave = () => {
      if (document.visibilityState === 'hidden') draft?.flush();
    };
    document.addEventListener('visibilitychange', leave);
    return () => {
      document.removeEventListener('visibilitychange', leave);
      draft?.flush();
    };
  }, [draft]);
}
