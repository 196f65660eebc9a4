import type { PersonSignalKind } from '@symbolon/protocol';
import { useEffect, useRef } from 'react';
import { tabs } from './inner/tabs.ts';
import { outdatedBy } from './queries.ts';
import { currentSession } from './session.ts';

type Listener = (kind?: PersonSignalKind, id?: string) => void;

const POLL_MS = 20_000;
/** Between two pages there is no listener for a moment. */
const LINGER_MS = 5_000;
/** Before a stream is opened again that was refused: the first time, and at most. */
const AGAIN_MS = 1_000;
const AGAIN_MOST_MS = 60_000;
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
let stream: { readonly of: string | undefined; readonly close: () => void } | undefined;
let closing: ReturnType<typeof setTimeout> | undefined;

/** All parts of a page hear the same. @returns ends listening */
function listen(listener: Listener): () => void {
  listeners.add(listener);
  clearTimeout(closing);
  // Another person may have signed in within the moment.
  if (stream?.of !== personIn()) {
    stream?.close();
    stream = undefined;
  }
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

const personIn = () => {
  const session = currentSession();
  return session.state === 'in' ? session.person.person_user_id : undefined;
};

function open(): NonNullable<typeof stream> {
  const tell: Listener = (...happened) => {
    outdatedBy(...happened);
    for (const listener of listeners) listener(...happened);
  };
  const of = personIn();
  const closeStream = of === undefined ? nothing : hearStream(of, tell);
  const timer = setInterval(tell, POLL_MS);
  const look = () => document.visibilityState === 'visible' && tell();
  const back = () => tell();
  document.addEventListener('visibilitychange', look);
  addEventListener('online', back);
  return {
    of,
    close() {
      closeStream();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      removeEventListener('online', back);
    },
  };
}

/**
 * All tabs of a browser hear one stream of a person: a browser keeps six connections to a host where there is no HTTP/2, so that a stream
 * for each tab would leave none for anything else. The tab that holds the lock has it, and tells the others; when that tab goes, the next
 * one has it. A browser that refuses locks has none: its pages look every 20 seconds.
 */
function hearStream(personId: string, tell: Listener): () => void {
  const name = `symbolon events ${personId}`;
  const others = tabs<{ kind?: PersonSignalKind | undefined; id?: string | undefined }>(name);
  const end = new AbortController();
  const endHearing = others.hear(({ kind, id }) => tell(kind, id));
  const hold = () =>
    new Promise<void>((resolve) => {
      if (end.signal.aborted) return resolve();
      const told: Listener = (kind, id) => {
        tell(kind, id);
        others.tell({ kind, id });
      };
      let source: EventSource;
      let again: ReturnType<typeof setTimeout>;
      let waitMs = AGAIN_MS;
      const open = () => {
        source = new EventSource('/api/person/events');
        for (const kind of KINDS)
          source.addEventListener(kind, ({ data }: MessageEvent<string>) => told(kind, idOf(data)));
        source.addEventListener('open', () => {
          waitMs = AGAIN_MS;
          told();
        });
        source.addEventListener('error', () => {
          // The browser opens a stream again that breaks off, and none whose answer is no 200, as of a platform that starts again.
          if (source.readyState !== EventSource.CLOSED) return;
          again = setTimeout(open, waitMs);
          waitMs = Math.min(2 * waitMs, AGAIN_MOST_MS);
        });
      };
      open();
      end.signal.addEventListener('abort', () => {
        clearTimeout(again);
        source.close();
        resolve();
      });
    });
  navigator.locks.request(name, { signal: end.signal }, hold).catch(nothing);
  return () => {
    end.abort();
    endHearing();
  };
}

function idOf(data: string): string | undefined {
  try {
    return JSON.parse(data).id;
  } catch {
    return undefined;
  }
}
