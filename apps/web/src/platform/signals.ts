import { useEffect, useRef } from 'react';

export type SignalKind = 'two_factor_challenge' | 'two_factor_challenge_closed' | 'session_changed';

const POLL_MS = 20_000;
const KINDS: readonly SignalKind[] = [
  'two_factor_challenge',
  'two_factor_challenge_closed',
  'session_changed',
];

/**
 * Calls `refresh` when something happened, when the page is looked at again, and every 20 seconds besides: signals may be
 * lost, so they only make it sooner.
 */
export function useSignals(refresh: (kind?: SignalKind, id?: string) => void): void {
  const latest = useRef(refresh);
  latest.current = refresh;
  useEffect(() => {
    const source = new EventSource('/api/person/events');
    for (const kind of KINDS) {
      source.addEventListener(kind, ({ data }: MessageEvent<string>) => latest.current(kind, idOf(data)));
    }
    source.addEventListener('open', () => latest.current());
    const timer = setInterval(() => latest.current(), POLL_MS);
    const look = () => document.visibilityState === 'visible' && latest.current();
    document.addEventListener('visibilitychange', look);
    return () => {
      source.close();
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, []);
}

function idOf(data: string): string | undefined {
  try {
    return JSON.parse(data).id;
  } catch {
    return undefined;
  }
}
