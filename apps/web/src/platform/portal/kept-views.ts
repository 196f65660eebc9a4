import { useMemo, useSyncExternalStore } from 'react';
import { settings } from '../../text/settings.ts';
import { PORTAL_VIEWS } from '../forms.ts';

/** What a list shows, under a name: the part of the address behind the question mark. */
export interface KeptView<Search> {
  readonly name: string;
  readonly search: Search;
}

const listeners = new Set<() => void>();

/**
 * The views of one list that a login has kept in this browser until it signs out, in the order of their names. The platform has no place
 * for them: its drafts are sealed to a key that is seldom open, and expire.
 */
export function useKeptViews<Search>(loginId: string, list: string) {
  const place = `${PORTAL_VIEWS}${loginId}.${list}`;
  const text = useSyncExternalStore(listen, () => settings.read(place));
  const views = useMemo(() => viewsIn<Search>(text), [text]);
  const become = (next: readonly KeptView<Search>[]) => {
    const sorted = next.toSorted((one, other) => one.name.localeCompare(other.name));
    settings.keep(place, JSON.stringify(sorted));
    for (const listener of listeners) listener();
  };
  return {
    views,
    /** @param former the name under which it was kept before */
    keep: (view: KeptView<Search>, former = view.name) =>
      become([...views.filter(({ name }) => name !== former), view]),
    drop: (former: string) => become(views.filter(({ name }) => name !== former)),
  };
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab has kept one.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

function viewsIn<Search>(text: string | undefined): readonly KeptView<Search>[] {
  try {
    return JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
}
