import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { refused } from '@symbolon/testkit/evidence/refusals';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { type FakeClock, OPERATOR, type TestPlatform } from '@symbolon/testkit/platform/platform';
import { withRegionsOnEachEngine } from '@symbolon/testkit/platform/regions';
import { pino } from 'pino';
import { PlatformError } from '../../../core/errors.ts';
import { regionUnavailable } from '../directory/peers.ts';
import { HeldMessages } from './held-messages.ts';
import { KEPT_MS, keptMessages } from './kept-messages.ts';
import { LANES, laneOf, type RegionMessage } from './message-queue.ts';
import { MessageSender } from './message-sender.ts';
import { markOf, setMark } from './store.ts';
import { waitingMessages } from './testing.ts';

withRegionsOnEachEngine('messages between regions', ['eu', 'us'], (regions) => {
  const eu = () => regions().region('eu');
  const us = () => regions().region('us');
  const queueOf = ({ context }: TestPlatform) => {
    const { regionMessages } = context;
    assert.ok(regionMessages !== undefined);
    return regionMessages;
  };
  const send = (to: string, ...messages: RegionMessage[]) =>
    eu().context.database.write(async (writer) => {
      for (const message of messages) await queueOf(eu()).send(writer, to, message);
    });
  const waitingRows = () => waitingMessages(eu().context.database.reader).execute();
  const waiting = async () => (await waitingRows()).length;

  let kinds = 0;
  /** A kind of its own for a test, and what comes of it. */
  function kind(failing: (body: unknown) => void = () => {}) {
    const name = `test-${++kinds}`;
    const came: unknown[] = [];
    queueOf(us()).handle(name, async (_writer, message) => {
      failing(message.body);
      came.push(message.body);
    });
    const of = (subject: string, body: unknown): RegionMessage => ({ kind: name, subject, body });
    return { name, came, of };
  }

  /** A sender of its own that a test times, with calls that it may break. */
  function sender() {
    const timers = new FakeTimers();
    const { context } = eu();
    const logged: { msg: string }[] = [];
    const state = { broken: false, calls: 0, under: 0, most: 0 };
    /** How long calls may wait. */
    const waits: (number | undefined)[] = [];
    const { peers } = context;
    assert.ok(peers !== undefined);
    const made = new MessageSender({
      database: context.database,
      regions: context.regions,
      availability: context.availability,
      instruments: context.instruments,
      timers,
      maintenance: context.maintenance,
      log: pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line)) }),
      peers: {
        async call(peer, call) {
          state.calls++;
          waits.push(call.timeoutMs);
          state.under++;
          state.most = Math.max(state.most, state.under);
          try {
            if (state.broken) throw regionUnavailable();
            return await peers.call(peer, call);
          } finally {
            state.under--;
          }
        },
      },
    });
    return { timers, state, logged, waits, sender: made };
  }

  test('messages arrive once and in order after the transaction that sent them commits', async () => {
    const { came, of } = kind();
    await send('us', of('a', 1), of('a', 2));
    await assert.rejects(
      eu().context.database.write(async (writer) => {
        await queueOf(eu()).send(writer, 'us', of('a', 'never'));
        throw new Error('undone');
      }),
    );
    await send('us', of('a', 3));
    assert.deepEqual(came, []);
    await regions().settle();
    assert.deepEqual(came, [1, 2, 3]);
    assert.equal(await waiting(), 0);
    await regions().settle();
    assert.deepEqual(came, [1, 2, 3]);
  });

  test('a message that arrives twice is applied once', async () => {
    const { came, of, name } = kind();
    await send('us', of('a', 1), of('a', 2));
    const rows = await waitingRows();
    const batch = rows.map(({ seq, subject, body }) => ({ seq, kind: name, subject, body }));
    const lane = laneOf('a');
    // As of two processes that read the same rows.
    const both = await Promise.all([
      queueOf(us()).receive('eu', lane, batch),
      queueOf(us()).receive('eu', lane, batch),
    ]);
    assert.deepEqual(came, [1, 2]);
    const through = batch.at(-1)?.seq;
    assert.deepEqual(both, [{ through }, { through }]);
    assert.equal(await eu().context.messageSender?.sendAll(), 2);
    assert.deepEqual(came, [1, 2]);
  });

  test('a message that fails blocks only its own lane and leaves nothing behind', async () => {
    let refuses = true;
    const { came, of, name } = kind((body) => {
      if (body === 2 && refuses) throw new PlatformError('db.writes_paused');
    });
    const other = Array.from({ length: 50 }, (_, index) => `s${index}`).find(
      (subject) => laneOf(subject) !== laneOf('a'),
    );
    assert.ok(other !== undefined);
    await send('us', of('a', 1), of('a', 2), of('a', 3), of(other, 'free'));
    await regions().settle();
    assert.deepEqual(new Set(came), new Set([1, 'free']));
    assert.equal(await waiting(), 2);
    refuses = false;
    await regions().settle();
    assert.deepEqual(came.slice(-2), [2, 3]);
    assert.match(name, /^test/);
  });

  test('a handler that fails leaves neither its writes nor a raised mark', async () => {
    let refuses = true;
    const name = `test-${++kinds}`;
    queueOf(us()).handle(name, async (writer, { body }) => {
      await writer
        .insertInto('region_settings')
        .values({ name: String(body), value: '1', updated_at: 0 })
        .execute();
      if (refuses) throw new PlatformError('db.writes_paused');
    });
    const written = async () => {
      const { reader } = us().context.database;
      return (await reader.selectFrom('region_settings').select('name').where('name', '=', name).execute())
        .length;
    };
    await send('us', { kind: name, subject: 'a', body: name });
    await regions().settle();
    assert.equal(await written(), 0);
    refuses = false;
    await regions().settle();
    assert.equal(await written(), 1);
  });

  test('a region whose writes are paused applies no message', async () => {
    const { came, of } = kind();
    const { maintenance, database, messageSender } = us().context;
    const pause = async (on: boolean) => {
      await database.write((writer) => maintenance.set(writer, 'writes_paused', on, null));
      await maintenance.apply();
    };
    await pause(true);
    await send('us', of('a', 1));
    await assert.rejects(async () => eu().context.messageSender?.sendAll(), { key: 'region.unavailable' });
    await pause(false);
    await regions().settle();
    assert.deepEqual(came, [1]);
    assert.ok(messageSender !== undefined);
  });

  test('messages are sent at once, one batch of a lane at a time', async () => {
    const { came, of } = kind();
    const { sender: sending, state } = sender();
    await sending.start();
    const all = Array.from({ length: 120 }, (_, index) => index);
    for (const body of all) await send('us', of('a', body));
    await eventually('all have come', () => (came.length >= all.length ? true : undefined));
    assert.deepEqual(came, all);
    assert.equal(state.most, 1);
    await sending.stop();
    assert.equal(await waiting(), 0);
  });

  test('messages for an unreachable region are retried after growing pauses and then arrive', async () => {
    const { came, of } = kind();
    const { sender: sending, state, timers } = sender();
    state.broken = true;
    await sending.start();
    await send('us', of('a', 1));
    const calls = (count: number) =>
      eventually(`${count} calls`, () => (state.calls >= count && timers.size >= 2 ? true : undefined));
    await calls(1);
    for (const [made, pause] of [100, 200, 400, 800].entries()) {
      timers.advance(pause - 1);
      // What is added meanwhile does not hurry it.
      await send('us', of('a', made + 2));
      for (let turn = 0; turn < 5; turn++) await setImmediate();
      assert.equal(state.calls, made + 1);
      timers.advance(1);
      await calls(made + 2);
    }
    state.broken = false;
    timers.advance(1600);
    await eventually('all have come', () => (came.length === 5 ? true : undefined));
    assert.deepEqual(came, [1, 2, 3, 4, 5]);
    await sending.stop();
  });

  test('a look at empty lanes does not hurry the messages for an unreachable region', async () => {
    const { came, of } = kind();
    const { sender: sending, state, timers, logged } = sender();
    state.broken = true;
    await sending.start();
    await send('us', of('a', 1));
    const scanMs = 5_000;
    // One timer waits for the next look, one for the next try, which is set when a try has ended.
    const passed = async (ms: number) => {
      timers.advance(ms);
      await eventually('no try is under way', () => (timers.size >= 2 ? true : undefined));
    };
    for (let ms = 100; ms < scanMs; ms += 100) await passed(100);
    await passed(99);
    const { calls } = state;
    assert.ok(calls > 1);
    await passed(1);
    assert.equal(state.calls, calls);
    assert.deepEqual(
      logged.filter(({ msg }) => msg.includes('again')),
      [],
    );
    state.broken = false;
    timers.advance(2_000);
    await eventually('the message has come', () => (came.length === 1 ? true : undefined));
    await sending.stop();
  });

  test('a region that was away for long has the first messages within seconds, and all at once', async () => {
    const { came, of } = kind();
    const { sender: sending, state, timers } = sender();
    const subjects = ['a', 'b', 'c', 'd', 'e'];
    state.broken = true;
    await sending.start();
    for (const subject of subjects) await send('us', of(subject, subject));
    const lanes = new Set(subjects.map(laneOf)).size;
    // A minute of tries: the pauses of each lane have grown as far as they do.
    for (let second = 0; second < 60; second++) {
      const before = state.calls;
      timers.advance(1_000);
      for (let turn = 0; turn < 20; turn++) await setImmediate();
      assert.ok(state.calls - before <= lanes * 4);
    }
    state.broken = false;
    timers.advance(2_000);
    await eventually('all have come', () => (came.length === subjects.length ? true : undefined));
    await sending.stop();
  });

  test('a caller waits for the messages before its call for five seconds in all', async () => {
    const { of } = kind();
    const { sender: sending, state, waits } = sender();
    await send('us', of('a', 1));
    state.broken = true;
    const deadline = performance.now() + 5_000;
    await assert.rejects(sending.sendAbout('us', 'a', deadline), {
      key: 'region.unavailable',
      headers: { 'retry-after': '5' },
    });
    assert.ok(waits.length > 0);
    assert.ok(waits.every((ms) => ms !== undefined && ms <= 5_000));
    await assert.rejects(sending.sendAbout('us', 'a', performance.now()), { key: 'region.unavailable' });
    assert.equal(state.calls, 1);
    state.broken = false;
    await regions().settle();
  });

  test('a lane whose first message fails is retried after growing pauses and logged as blocked', async () => {
    let refuses = true;
    const { came, of } = kind(() => {
      if (refuses) throw new PlatformError('db.writes_paused');
    });
    const { sender: sending, state, timers, logged } = sender();
    await sending.start();
    await send('us', of('a', 1));
    const other = Array.from({ length: 50 }, (_, index) => `s${index}`).find(
      (subject) => laneOf(subject) !== laneOf('a'),
    );
    // Until it waits for its next try, beside the look for signals that were lost.
    const tried = (count: number) =>
      eventually(`${count} tries`, () => (state.calls >= count && timers.size >= 2 ? true : undefined));
    await tried(1);
    timers.advance(100);
    await tried(2);
    assert.equal(logged.filter((line) => line.msg.startsWith('region queue blocked')).length, 1);
    refuses = false;
    await send('us', of(other ?? '', 'free'));
    await eventually('the other lane moves', () => (came.length === 1 ? true : undefined));
    timers.advance(200);
    await eventually('it has come', () => (came.length === 2 ? true : undefined));
    assert.deepEqual(came, ['free', 1]);
    await eventually('it says so', () => logged.find((line) => line.msg === 'region queue moves again'));
    await sending.stop();
  });

  test('a message is sent although its signal was lost', async () => {
    const { came, of } = kind();
    const { sender: sending, timers } = sender();
    await sending.start();
    const { database } = eu().context;
    await database.write(async (writer) => {
      await writer
        .insertInto('region_messages')
        .values({ to_region: 'us', lane: laneOf('a'), ...of('a', 1), body: '1', at: 0 })
        .execute();
    });
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    timers.advance(5_000);
    await eventually('it has come', () => (came.length === 1 ? true : undefined));
    await sending.stop();
  });

  test('a message that can never be applied is stepped over, and those behind it arrive', async () => {
    const { came, of } = kind((body) => {
      if (body === 'broken') throw new Error('cannot be applied');
    });
    const { context } = eu();
    const held = new HeldMessages(context);
    await send('us', of('a', 'broken'), of('a', 2), of('a', 3));
    const refusedToSkip = (seq: number, expected: readonly [number, string]) =>
      refused(eu(), expected, 'POST', `/api/admin/messages/${seq}/skip`, { token: OPERATOR });
    const [first, ...others] = await held.list();
    assert.ok(first !== undefined);
    assert.deepEqual([others, first.region, first.subject, first.waiting], [[], 'us', 'a', 3]);
    assert.deepEqual((await held.read(first.seq)).body, 'broken');
    assert.deepEqual(await held.try(first.seq), { arrived: false, failed_key: 'internal' });
    const [, second] = await waitingRows();
    await refusedToSkip(second?.seq ?? 0, [409, 'admin.message_not_first']);
    await held.skip(first.seq, '127.0.0.1');
    await regions().settle();
    assert.deepEqual(came, [2, 3]);
    assert.deepEqual(await held.list(), []);
    // It has arrived: there is nothing to step over any more.
    await refusedToSkip(first.seq, [404, 'admin.message_not_found']);
    await assert.rejects(held.read(Number.MAX_SAFE_INTEGER), { key: 'admin.message_not_found' });
    const { items } = await context.acts.page(context.database, { limit: 10, offset: 0 });
    const { act, subject, details } = items[0] ?? {};
    assert.deepEqual([act, subject, details?.kind], ['message.skipped', 'a', of('a', 1).kind]);
  });

  describe('after a region came back from a backup', () => {
    const lane = laneOf('a');
    const mark = () => markOf(us().context.database.reader, 'eu', lane);
    /** The mark is all of a database that the queue knows. */
    const restore = (through: number) =>
      us().context.database.write((writer) => setMark(writer, 'eu', lane, through));

    test('what was sent to it since comes again, in its order and before what is new', async () => {
      const { came, of } = kind();
      await send('us', of('a', 1));
      await regions().settle();
      const saved = await mark();
      await send('us', of('a', 2), of('a', 3));
      await regions().settle();
      assert.equal(await waiting(), 0);
      await restore(saved);
      await send('us', of('a', 4));
      await regions().settle();
      assert.deepEqual(came, [1, 2, 3, 2, 3, 4]);
      assert.equal(await waiting(), 0);
    });

    test('a caller that depends on messages waits for those that come again', async () => {
      const { came, of } = kind();
      await send('us', of('a', 1));
      await regions().settle();
      const saved = await mark();
      await send('us', of('a', 2));
      await regions().settle();
      await restore(saved);
      await send('us', of('a', 3));
      await eu().context.messageSender?.sendAbout('us', 'a');
      assert.deepEqual(came, [1, 2, 2, 3]);
    });

    test('it is noticed where nothing new is sent, and reported when the messages are kept no longer', async () => {
      const { came, of } = kind();
      const { sender: sending, logged } = sender();
      const { clock, database } = eu().context;
      const [sweep] = keptMessages(eu().context, { database, messageSender: sending }).sweeps ?? [];
      const running = new AbortController().signal;
      const saved = await mark();
      await send('us', of('a', 1), of('a', 2));
      await regions().settle();
      await restore(saved);
      await sending.compare(running);
      await eventually('both have come again', () => (came.length === 4 ? true : undefined));
      assert.deepEqual(came, [1, 2, 1, 2]);
      assert.ok(logged.every(({ msg }) => !msg.includes('lost')));

      // Nothing that waits is deleted, however old.
      await send('us', of('a', 3));
      (clock as FakeClock).advance(KEPT_MS + 1);
      await sweep?.run(running);
      await regions().settle();
      assert.deepEqual(came.slice(4), [3]);
      await sweep?.run(running);
      await restore(saved);
      await sending.compare(running);
      assert.equal(logged.filter(({ msg }) => msg.startsWith('region messages lost')).length, 1);
      await sending.compare(running);
      assert.equal(logged.filter(({ msg }) => msg.startsWith('region messages lost')).length, 1);
      await send('us', of('a', 4));
      await regions().settle();
      assert.deepEqual(came.slice(5), [4]);
    });
  });

  test('only a region with the shared secret may send messages', async () => {
    const body = { lane: 0, messages: [] };
    assert.equal((await us().call('POST', '/internal/messages', { body })).status, 401);
  });

  test('the sequence numbers of a lane grow in the order of the commits', async () => {
    const { came, of } = kind();
    const { database } = eu().context;
    let number = 0;
    const sent: number[] = [];
    await Promise.all(
      Array.from({ length: 40 }, () =>
        database.write(async (writer) => {
          await queueOf(eu()).send(writer, 'us', of('a', 0));
          const mine = number++;
          await setImmediate();
          sent.push(mine);
        }),
      ),
    );
    assert.equal(await waiting(), 40);
    // No message got a place behind one that was still open.
    assert.deepEqual(
      sent,
      [...sent].sort((one, other) => one - other),
    );
    await regions().settle();
    assert.equal(came.length, 40);
  });

  test('subjects are spread evenly over the lanes', () => {
    const lanes = new Set(Array.from({ length: 200 }, (_, index) => laneOf(`subject ${index}`)));
    assert.equal(lanes.size, LANES);
  });
});
