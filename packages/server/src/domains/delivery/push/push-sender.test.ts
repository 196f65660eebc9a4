import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { getEventListeners } from 'node:events';
import { test } from 'node:test';
import { limits } from '@symbolon/protocol';
import { registerPerson } from '@symbolon/testkit/actors/actors';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { startPlatform } from '@symbolon/testkit/platform/platform';
import { TestBrowser } from '@symbolon/testkit/servers/push-service';
import type { OutgoingResult } from '../../../outgoing/result.ts';
import type { OutgoingRequest } from '../../../outgoing/sender.ts';
import { Devices } from './devices.ts';
import { PushSender } from './push-sender.ts';
import { Vapid } from './vapid.ts';

/** A sender whose push service and time a test decides. */
async function withSender(
  answer: (
    request: OutgoingRequest,
    tries: number,
    stopping: AbortSignal | undefined,
    now: number,
  ) => Promise<OutgoingResult> | OutgoingResult,
  run: (parts: {
    pushes: PushSender;
    timers: FakeTimers;
    sent: OutgoingRequest[];
    logged: object[];
    subscribe(): Promise<string>;
    advance(ms: number): void;
  }) => Promise<void>,
): Promise<void> {
  await using platform = await startPlatform('sqlite');
  const { context, clock } = platform;
  const timers = new FakeTimers();
  const sent: OutgoingRequest[] = [];
  const logged: object[] = [];
  const vapid = new Vapid(context);
  const devices = new Devices({ ...context, vapid, allowLoopback: false });
  const pushes = new PushSender({
    ...context,
    timers,
    vapid,
    subject: 'mailto:push@symbolon.dev',
    log: { warn: (line: object) => logged.push(line) } as never,
    sender: {
      async send(request, stopping) {
        sent.push(request);
        return answer(request, sent.length, stopping, clock.now());
      },
      async stop() {},
    },
  });
  try {
    await run({
      pushes,
      timers,
      sent,
      logged,
      async subscribe() {
        const { id } = await registerPerson(platform);
        const browser = new TestBrowser(`https://push.example.com/${randomBytes(8).toString('hex')}`);
        await devices.add({ personId: id, sessionId: undefined }, browser.subscription, 'Firefox');
        return id;
      },
      advance(ms) {
        clock.advance(ms);
        timers.advance(ms);
      },
    });
  } finally {
    await pushes.stop();
  }
}

const answered = (status: number, retryAfter?: string): OutgoingResult => ({
  kind: 'answered',
  status,
  durationMs: 1,
  body: new Uint8Array(),
  ...(retryAfter === undefined ? {} : { retryAfter }),
});
const failed: OutgoingResult = { kind: 'failed', reason: 'timeout', detail: 'slow', durationMs: 1 };
const SIGNAL = { kind: 'two_factor_challenge', id: 'one', push: true } as const;
const seconds = (request: OutgoingRequest | undefined) => Number(request?.headers.TTL);

for (const [what, result] of [
  ['answers 500', answered(500)],
  ['answers 429', answered(429)],
  ['says nothing', failed],
] as const) {
  test(`a push service that ${what} is tried again, and the message lives no longer for it`, () =>
    withSender(
      (_request, tries) => (tries < 3 ? result : answered(201)),
      async ({ pushes, timers, sent, logged, subscribe, advance }) => {
        pushes.send(await subscribe(), SIGNAL);
        for (const pause of [2_000, 8_000]) {
          await eventually('it waits', () => (timers.size === 1 ? true : undefined));
          advance(pause - 1);
          const before = sent.length;
          await new Promise(setImmediate);
          assert.equal(sent.length, before, 'not before its time');
          advance(1);
        }
        await eventually('it is sent', () => (sent.length === 3 ? true : undefined));
        assert.deepEqual(sent.map(seconds), [300, 298, 290]);
        assert.deepEqual([timers.size, logged.length], [0, 0]);
      },
    ));
}

test('a push service that fails again and again leaves nothing behind in memory', () => {
  let stopping: AbortSignal | undefined;
  return withSender(
    (_request, tries, signal) => {
      stopping = signal;
      return tries < 4 ? answered(500) : answered(201);
    },
    async ({ pushes, timers, sent, subscribe, advance }) => {
      pushes.send(await subscribe(), SIGNAL);
      for (const pause of [2_000, 8_000, 30_000]) {
        await eventually('it waits', () => (timers.size === 1 ? true : undefined));
        advance(pause);
      }
      await eventually('it is sent', () => (sent.length === 4 ? true : undefined));
      assert.ok(stopping);
      assert.equal(getEventListeners(stopping, 'abort').length, 0);
    },
  );
});

test('Retry-After is obeyed, and what would come too late is given up and logged once', () =>
  withSender(
    (_request, tries) => (tries === 1 ? answered(429, '60') : answered(503, '240')),
    async ({ pushes, timers, sent, logged, subscribe, advance }) => {
      const person = await subscribe();
      pushes.send(person, SIGNAL);
      await eventually('it waits', () => (timers.size === 1 ? true : undefined));
      advance(59_999);
      await new Promise(setImmediate);
      assert.equal(sent.length, 1);
      advance(1);
      await eventually('it is given up', () => (logged.length === 1 ? true : undefined));
      assert.deepEqual([sent.length, timers.size], [2, 0]);
      assert.deepEqual(logged, [{ host: 'push.example.com', reason: 'status 503' }]);
      // The same of the same push service is not logged again.
      pushes.send(person, { ...SIGNAL, id: 'two' });
      await eventually('it waits', () => (timers.size === 1 ? true : undefined));
      advance(240_000);
      await eventually('it is given up', () => (timers.size === 0 && sent.length === 4 ? true : undefined));
      assert.equal(logged.length, 1);
    },
  ));

test('a date in Retry-After is obeyed', () =>
  withSender(
    (_request, tries, _stopping, now) =>
      tries === 1
        ? answered(429, new Date(Math.ceil(now / 1000) * 1000 + 60_000).toUTCString())
        : answered(201),
    async ({ pushes, timers, sent, subscribe, advance }) => {
      pushes.send(await subscribe(), SIGNAL);
      await eventually('it waits', () => (timers.size === 1 ? true : undefined));
      advance(59_999);
      await new Promise(setImmediate);
      assert.equal(sent.length, 1);
      advance(1_001);
      await eventually('it is sent', () => (sent.length === 2 ? true : undefined));
    },
  ));

test('what a push service refuses for good is not repeated', () =>
  withSender(
    () => answered(403),
    async ({ pushes, timers, sent, logged, subscribe }) => {
      pushes.send(await subscribe(), SIGNAL);
      await eventually('it is logged', () => (logged.length === 1 ? true : undefined));
      assert.deepEqual([sent.length, timers.size], [1, 0]);
    },
  ));

test('messages of one person that wait are bounded, and a stop gives up what waits', () =>
  withSender(
    () => answered(503),
    async ({ pushes, timers, sent, subscribe }) => {
      const person = await subscribe();
      const most = 3 * limits.pushDevicesMost;
      for (let id = 0; id < 2 * most; id++) pushes.send(person, { ...SIGNAL, id: String(id) });
      await eventually('they wait', () => (timers.size === most ? true : undefined));
      await new Promise(setImmediate);
      assert.equal(sent.length, most);
      await pushes.stop();
      assert.equal(timers.size, 0);
      pushes.send(person, SIGNAL);
      assert.equal(sent.length, most);
    },
  ));

test('what waited for its turn until it is of no use any more is not sent', () => {
  const { promise, resolve } = Promise.withResolvers<OutgoingResult>();
  return withSender(
    () => promise,
    async ({ pushes, sent, subscribe, advance }) => {
      const person = await subscribe();
      const another = await subscribe();
      const atOnce = 32;
      const send = (to: string, count: number) => {
        for (let id = 0; id < count; id++) pushes.send(to, { ...SIGNAL, id: String(id) });
      };
      const most = 3 * limits.pushDevicesMost;
      send(person, most);
      send(another, most);
      await eventually('some are on their way', () => (sent.length === atOnce ? true : undefined));
      await new Promise(setImmediate);
      advance(limits.pushLifetimeSeconds * 1000);
      resolve(answered(201));
      await new Promise(setImmediate);
      assert.equal(sent.length, atOnce);
    },
  );
});
