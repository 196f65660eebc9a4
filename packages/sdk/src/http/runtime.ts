import { platformFetch } from '#fetch';
import type { OnProgress } from './progress.ts';

/** The part of the standard `fetch` that the transport uses; `globalThis.fetch` is one. */
export type Fetch = (
  url: string,
  init: {
    method: string;
    headers: Record<string, string>;
    body?: string | Uint8Array<ArrayBuffer>;
    signal: AbortSignal;
    redirect: 'error';
    /** Called with the bytes sent and received, where this implementation knows it. */
    onProgress?: OnProgress | undefined;
  },
) => Promise<FetchResponse>;

/** The part of a `Response` that the transport uses. */
export type FetchResponse = {
  ok: boolean;
  status: number;
  headers: HeaderReader;
  arrayBuffer: () => Promise<ArrayBuffer>;
};

/** The part of the standard `fetch` that opens a response which does not end by itself. */
export type OpenStream = (
  url: string,
  init: { headers: Record<string, string>; signal: AbortSignal; redirect: 'error' },
) => Promise<FetchResponse & { body: ReadableStream<Uint8Array> | null }>;

export type HeaderReader = { get: (name: string) => string | null };

/** The clock, network and timers that the library uses. Tests replace them. */
export type Runtime = {
  fetch: Fetch;
  /** For event streams. */
  openStream: OpenStream;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Resolves after the given milliseconds; rejects with the signal's reason when it aborts. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** A number from 0 up to but not including 1, for jitter only. */
  random: () => number;
};

/** The real clock, network and timers, with parts replaced. */
export function runtimeWith(parts: Partial<Runtime> = {}): Runtime {
  return {
    fetch: platformFetch,
    openStream: (url, init) => globalThis.fetch(url, init),
    now: Date.now,
    sleep,
    random: Math.random,
    ...parts,
  };
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
