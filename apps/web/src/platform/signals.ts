import type { PersonSignalKind } from '@symbolon/protocol';
import { useEffect, useRef } from 'react';
import { outdatedBy } from './queries.ts';

type Listener = (kind?: PersonSignalKind, id?: string) => void;

const POLL_MS = 20_000;
/** Between two pages there is no listener for a moment. */
const LINGER_MS = 5_000;
const KINDS: readonly PersonSignalKind[] = [
  'two_factor_challenge',
  'two_factor_challenge_closed',
  'message',
  'connect_request',
  'document',
  'flow_run',
  'session_changed',
];

/** Hears what happens to what the person looks at, and has it read again. Around each page of a person something does. */
export const useOutdating = (): void => useSignals(nothing);
const nothing = () => undefined;

/**
 * Calls `refresh` when something happened, when the page is looked at again, and every 20 seconds besides: signals may be
 * lost, so they only make it sooner.
 */
export function useSignals(refresh: Listener): void {
  const latest = useRef(refresh);
  latest.current = refresh;
  useEffect(() => listen((...happened) => latest.current(...happened)), []);
}

const listeners = new Set<Listener>();
let stream: { close: () => void } | undefined;
let closing: ReturnType<typeof setTimeout> | undefined;

/** All parts of a page hear one stream: a person has ten at most. @returns ends listening */
function listen(listener: Listener): () => void {
  listeners.add(listener);
  clearTimeout(closing);
  stream ??= open();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    closing = setTimeout(() => {
      stream?.close();
      stream = undefined;
    }, LINGER_MS);
  };
}

function open(): { close: () => void } {
  const tell: Listener = (...happened) => {
    outdatedBy(...happened);
    for (const listener of listeners) listener(...happened);
  };
  const source = new EventSource('/api/person/events');
  for (const kind of KINDS) {
    source.addEventListener(kind, ({ data }: MessageEvent<string>) => tell(kind, idOf(data)));
  }
  source.addEventListener('open', () => tell());
  const timer = setInterval(tell, POLL_MS);
  const look = () => document.visibilityState === 'visible' && tell();
  const back = () => tell();
  document.addEventListener('visibilitychange', look);
  addEventListener('online', back);
  return {
    close() {
      source.close();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      removeEventListener('online', back);
    },
  };
}

function idOf(data: string): string | undefined {
  try {
    return JSON.parse(data).id;
  } catch {
    return undefined;
  }
}
