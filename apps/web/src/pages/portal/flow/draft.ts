import { checkDraft, type FlowDefinition } from '@symbolon/flows';
import type { Flow } from '@symbolon/protocol';
import { ConflictError } from '@symbolon/sdk/device';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { type FlowPlace, readFlow, saveFlow } from '../../../platform/portal/flows.ts';
import { openedFlow, touchedFlow } from '../../../platform/portal/untouched.ts';
import { begun, type History, type Step, step } from './history.ts';

/** A draft is saved once nothing was changed for so long. */
const REST_MS = 800;

export type Saving =
  | { readonly state: 'saved' | 'waiting' | 'saving' | 'malformed' }
  | { readonly state: 'failed'; readonly error: unknown }
  /** A colleague saved meanwhile. Nothing is written until the author has chosen. */
  | { readonly state: 'conflict' };

export type Change = (to: FlowDefinition, subject?: string) => void;

export interface Draft {
  readonly definition: FlowDefinition;
  readonly change: Change;
  readonly history: Pick<History<FlowDefinition>, 'past' | 'future'>;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly saving: Saving;
  /** The flow as it was last read or saved. */
  readonly flow: Flow;
  /** Saves at once what waits. @throws what saving throws */
  readonly save: () => Promise<Flow>;
  /** Takes what a colleague saved, or keeps what stands here. */
  readonly resolve: (keep: 'theirs' | 'mine') => Promise<void>;
  /** After the files of the flow have changed. */
  readonly setFlow: (flow: Flow) => void;
}

const stepOf = (history: History<FlowDefinition>, next: Step<FlowDefinition>) => step(history, next);

/** The draft of a flow as it is edited here, saved by itself. */
export function useDraft(place: FlowPlace, read: Flow): Draft {
  const [history, dispatch] = useReducer(stepOf, read.definition, begun<FlowDefinition>);
  const { present } = history;
  const [flow, setFlow] = useState(read);
  const [saving, setSaving] = useState<Saving>({ state: 'saved' });
  const latest = useRef({ present, flow, saved: read.definition });
  latest.current = { ...latest.current, present, flow };
  const underWay = useRef<Promise<unknown>>(Promise.resolve());

  const write = useCallback(
    async (revision?: number) => {
      await underWay.current.catch(() => undefined);
      const { present: sent, saved, flow: known } = latest.current;
      if (sent === saved && revision === undefined) return known;
      if (checkDraft(sent).length > 0) {
        setSaving({ state: 'malformed' });
        return known;
      }
      setSaving({ state: 'saving' });
      const call = saveFlow(place, revision ?? known.revision, sent);
      underWay.current = call;
      try {
        const answer = await call;
        latest.current = { ...latest.current, flow: answer, saved: sent };
        setFlow(answer);
        setSaving({ state: latest.current.present === sent ? 'saved' : 'waiting' });
        return answer;
      } catch (error) {
        setSaving(error instanceof ConflictError ? { state: 'conflict' } : { state: 'failed', error });
        throw error;
      }
    },
    [place],
  );

  useEffect(() => openedFlow(place), [place]);
  // Undone changes were made too, and files and versions are of flows that stay.
  const isChanged = present !== read.definition || history.future.length > 0 || flow !== read;
  useEffect(() => {
    if (isChanged) touchedFlow(place.flowId);
  }, [isChanged, place]);

  const isHeld = saving.state === 'conflict';
  useEffect(() => {
    if (present === latest.current.saved || isHeld) return;
    setSaving({ state: 'waiting' });
    const timer = setTimeout(() => write().catch(() => undefined), REST_MS);
    return () => clearTimeout(timer);
  }, [present, write, isHeld]);
  useLeaveWarning(saving.state !== 'saved');

  const resolve = async (keep: 'theirs' | 'mine') => {
    const theirs = await readFlow(place);
    if (keep === 'mine') {
      await write(theirs.revision);
      return;
    }
    latest.current = { ...latest.current, flow: theirs, saved: theirs.definition };
    setFlow(theirs);
    dispatch({ act: 'reset', to: theirs.definition });
    setSaving({ state: 'saved' });
  };
  return {
    definition: present,
    change: (to, subject) => dispatch({ act: 'change', to, subject }),
    history,
    undo: () => dispatch({ act: 'undo' }),
    redo: () => dispatch({ act: 'redo' }),
    saving,
    flow,
    save: () => write(),
    resolve,
    setFlow,
  };
}

/** Has the browser ask before a page is left whose changes are not saved. */
function useLeaveWarning(isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isOn]);
}
