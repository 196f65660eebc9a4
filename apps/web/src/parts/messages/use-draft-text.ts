import { useEffect, useMemo, useState } from 'react';
import { Draft, type DraftHolder } from '../../platform/drafts.ts';
import { useKeptDraft } from '../use-kept-draft.ts';

/** What was begun to write in a thread, here or on another device. @param holder the same object as long as it is the same account */
export function useDraftText(connectionId: string, holder: DraftHolder) {
  const draft = useMemo(() => new Draft<string>(`message.${connectionId}`, holder), [connectionId, holder]);
  const [typed, setTyped] = useState<string>();
  const [kept, setKept] = useState('');
  useEffect(() => {
    draft.read().then((begun) => setKept(begun.get('text') ?? ''));
  }, [draft]);
  // Until it is read, what is typed counts.
  const text = typed ?? kept;
  const now = useMemo(
    () => (typed === undefined ? undefined : new Map(typed === '' ? [] : [['text', typed]])),
    [typed],
  );
  useKeptDraft(draft, now);
  const startOver = () => {
    draft.startOver();
    setKept('');
    setTyped(undefined);
  };
  return { text, setText: setTyped, startOver };
}
