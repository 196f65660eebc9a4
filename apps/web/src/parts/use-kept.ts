import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Draft, personDrafts } from '../platform/drafts.ts';
import { currentSession } from '../platform/session.ts';
import { useKeptDraft } from './use-kept-draft.ts';

const PART = 'value';
const NAME_MOST = 100;

/**
 * What a person types into a small form, kept as a draft until it is saved or given up: a page that is left, loaded again, or outlived by its
 * session has it again when the form is opened. Without the session of a person it is not kept.
 * @param name of the draft; undefined where none is kept
 */
export function useKept<Value>(name: string | undefined, first: () => Value) {
  const [value, setValue] = useState(first);
  const [typed, setTyped] = useState<ReadonlyMap<string, Value>>();
  const isTyped = useRef(false);
  const draft = useMemo(() => {
    const session = currentSession();
    return name === undefined || session.state !== 'in'
      ? undefined
      : new Draft<Value>(draftNameOf(name), personDrafts(session));
  }, [name]);
  useEffect(() => {
    draft?.read().then((begun) => {
      const kept = begun.get(PART);
      if (kept !== undefined && !isTyped.current) setValue(kept);
    });
  }, [draft]);
  useKeptDraft(draft, typed);
  const change = useCallback((next: Value) => {
    isTyped.current = true;
    setValue(next);
    setTyped(new Map([[PART, next]]));
  }, []);
  const drop = useCallback(() => draft?.drop(), [draft]);
  return { value, change, drop };
}

/** As the platform takes it: what it is made of may hold anything. */
const draftNameOf = (name: string): string => name.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, NAME_MOST);
