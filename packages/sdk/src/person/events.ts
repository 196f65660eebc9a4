import { type PersonSignalKind, personSignalKinds, type StreamEnding } from '@symbolon/protocol';
import type { Api } from '../http/api.ts';
import {
  ConflictError,
  RateLimitError,
  ServerError,
  type SymbolonError,
  TransportError,
  UnavailableError,
} from '../http/errors.ts';
import { type ServerSentEvent, serverSentEvents } from '../http/server-sent-events.ts';

/**
 * What a person's device hears. After `connected` it reads the lists again: events are not kept while there is no
 * connection.
 */
export type PersonEvent = { kind: 'connected' } | { kind: PersonSignalKind; id: string };

const EVENTS = '/api/person/events';
/** The platform gives a sign of life every 25 seconds. */
const SILENCE_MS = 60_000;
const PAUSE_MS = { least: 1_000, most: 30_000 };

/**
 * Listens to the event stream, and connects again whenever it ends (wire 10.3).
 *
 * @throws AuthenticationError when the session has ended; ConflictError `sdk.too_many_streams`; the signal's reason
 */
export async function* personEvents(api: Api, signal?: AbortSignal): AsyncGenerator<PersonEvent, void> {
  const { random, sleep } = api.transport.runtime;
  let pauseMs = PAUSE_MS.least;
  for (;;) {
    const stop = new AbortController();
    const both = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
    try {
      const { body } = await api.open({ path: EVENTS, accept: 'text/event-stream', signal: both });
      pauseMs = PAUSE_MS.least;
      yield { kind: 'connected' };
      for await (const event of serverSentEvents(body, { sleep, silenceMs: SILENCE_MS })) {
        pauseMs = event.retry ?? pauseMs;
        if (event.name === 'stream_closed') checkEnding(event);
        // An event without data is no signal, even under the name of one.
        else if (event.data !== '' && isSignal(event.name))
          yield { kind: event.name, id: String(dataOf(event).id) };
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!isPassing(error)) throw error;
      pauseMs = Math.max(error.retryAfterMs ?? 0, Math.min(PAUSE_MS.most, pauseMs * 2));
    } finally {
      stop.abort();
    }
    await sleep(Math.round(pauseMs * (0.5 + random())), signal);
  }
}

/** Only another device can take the place of this one; every other ending is followed by a new connection. */
function checkEnding(event: ServerSentEvent): void {
  const reason = dataOf(event).reason as StreamEnding | undefined;
  if (reason !== 'too_many_streams') return;
  const message =
    'The person listens on too many devices at once, and another one took the place of this one.';
  throw new ConflictError({ errorKey: 'sdk.too_many_streams', message });
}

function isPassing(error: unknown): error is SymbolonError {
  return [TransportError, RateLimitError, UnavailableError, ServerError].some(
    (kind) => error instanceof kind,
  );
}

const isSignal = (name: string): name is PersonSignalKind => personSignalKinds.some((kind) => kind === name);

function dataOf({ data }: ServerSentEvent): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(data));
  } catch {
    return {};
  }
}
