import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Api } from '../http/api.ts';
import { AuthenticationError } from '../http/errors.ts';
import { SignedInSession } from '../http/signed-in-session.ts';
import { Transport } from '../http/transport.ts';
import { type FakeAnswer, FakePlatform, refusal } from '../testing/fake-platform.ts';
import { type PersonEvent, personEvents } from './events.ts';

/** A platform that answers one connection after the other; the signal ends listening when none is left. */
async function listen(answers: FakeAnswer[], renew?: () => Promise<string>) {
  const stop = new AbortController();
  await using platform = await FakePlatform.start({
    'GET /api/person/events': () => answers.shift() ?? refusal(500, 'platform.failed'),
  });
  const pauses: number[] = [];
  const sleep = async (ms: number, signal?: AbortSignal) => {
    // Waiting for a sign of life: it does not come to an end here.
    if (ms === 60_000) return new Promise<void>(() => {});
    pauses.push(ms);
    if (answers.length === 0) stop.abort(new Error('no more'));
    signal?.throwIfAborted();
  };
  const transport = new Transport({ runtime: { sleep, random: () => 0.5 } });
  const api = new Api(transport, new SignedInSession(platform.url, 'p1', renew));
  const heard: PersonEvent[] = [];
  const ending = await (async () => {
    for await (const event of personEvents(api, stop.signal)) heard.push(event);
  })().catch((error: unknown) => error);
  return { heard, pauses, ending, requests: platform.requests };
}

const stream = (raw: string): FakeAnswer => ({ raw, headers: { 'content-type': 'text/event-stream' } });
const CONNECTED = { kind: 'connected' };

test('a device hears what it knows, whatever the line ends, and connects again after the time that the platform says', async () => {
  const { heard, pauses, requests } = await listen([
    stream(
      'retry: 4000\n\n:\n\nevent: two_factor_challenge\ndata: {"id":"1"}\n\nevent: news\ndata: {"id":"2"}\n\n' +
        'event: session_changed\r\ndata: {"id":"3"}\r\n\r\nevent: two_factor_challenge\ndata: {"id":"cut',
    ),
    stream('event: stream_closed\ndata: {"reason":"stopping"}\n\n'),
  ]);
  assert.deepEqual(heard, [
    CONNECTED,
    { kind: 'two_factor_challenge', id: '1' },
    { kind: 'session_changed', id: '3' },
    CONNECTED,
  ]);
  assert.deepEqual(pauses, [4_000, 1_000]);
  assert.deepEqual(
    requests.map(({ token, headers }) => [token, headers.accept]),
    Array(2).fill(['p1', 'text/event-stream']),
  );
});

test('a device that gets no connection waits longer each time, and as long as the server asks', async () => {
  const { heard, pauses, ending } = await listen([
    'reset',
    refusal(503, 'platform.busy', { headers: { 'retry-after': '20' } }),
    refusal(500, 'platform.failed'),
    stream(''),
  ]);
  assert.deepEqual([heard, pauses], [[CONNECTED], [2_000, 20_000, 30_000, 1_000]]);
  assert.match(String(ending), /no more/);
});

test('a token that has expired is replaced once; without one that replaces it listening ends', async () => {
  const expired = refusal(401, 'auth.expired');
  const renewed = await listen([expired, stream('')], async () => 'p2');
  assert.deepEqual(renewed.heard, [CONNECTED]);
  assert.deepEqual(
    renewed.requests.map(({ token }) => token),
    ['p1', 'p2'],
  );
  const ended = await listen([stream('event: stream_closed\ndata: {"reason":"session_ended"}\n\n'), expired]);
  assert.ok(ended.ending instanceof AuthenticationError);
  assert.equal(ended.ending.errorKey, 'auth.expired');
});

test('a device whose place another one took does not take it back', async () => {
  const { ending, requests } = await listen([
    stream('event: stream_closed\ndata: {"reason":"too_many_streams"}\n\n'),
    stream(''),
  ]);
  assert.deepEqual(
    [(ending as { errorKey?: string }).errorKey, requests.length],
    ['sdk.too_many_streams', 1],
  );
});

test('a stream without a sign of life is given up, and one that the caller leaves is closed', async () => {
  const cancelled: string[] = [];
  let silent = true;
  const transport = new Transport({
    runtime: {
      openStream: async (_url, { signal }) => {
        signal.addEventListener('abort', () => cancelled.push('stopped'));
        const body = new ReadableStream<Uint8Array>({ cancel: () => void cancelled.push('cancelled') });
        return {
          ok: true,
          status: 200,
          headers: new Headers(),
          body,
          arrayBuffer: async () => new ArrayBuffer(),
        };
      },
      sleep: async (ms) => {
        if (ms === 60_000 && !silent) return new Promise<void>(() => {});
      },
    },
  });
  const events = personEvents(new Api(transport, new SignedInSession('http://fake', 'p1')));
  assert.deepEqual((await events.next()).value, CONNECTED);
  assert.deepEqual((await events.next()).value, CONNECTED, 'a new connection');
  assert.deepEqual(cancelled, ['cancelled', 'stopped']);
  silent = false;
  await events.return();
  assert.deepEqual(cancelled.slice(2), ['stopped']);
});
