import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { RawClient } from '@symbolon/testkit/platform/raw-client';
import { listening } from '@symbolon/testkit/servers/listening';
import { pino } from 'pino';
import { QUIET_MS, ResponseTracker } from './response-tracker.ts';

const LARGE = 'x'.repeat(20_000_000);
const SMALL = 'small';

describe('the tracker of responses', () => {
  let timers: FakeTimers;
  let responses: ResponseTracker;
  let server: Server;
  let url: string;
  let outcomes: string[];
  let body: string;
  /** What a request waits for before it is answered. */
  let before: ((name: string) => Promise<void> | undefined) | undefined;

  beforeEach(async () => {
    timers = new FakeTimers();
    responses = new ResponseTracker({ timers, log: pino({ level: 'silent' }) });
    outcomes = [];
    body = SMALL;
    before = undefined;
    server = createServer(async (request, response) => {
      const name = request.url ?? '';
      const tell = (what: string) => async () => {
        outcomes.push(`${name} ${what}`);
      };
      // The name of a test client stands for what it asks for.
      await responses.confirmBefore(request, name);
      await before?.(name);
      await responses.watch(response, name, { confirm: tell('confirmed'), release: tell('released') });
      response.end(body);
    });
    responses.attach(server);
    ({ url } = await listening(server));
  });
  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const told = (count: number) =>
    eventually(`${count} outcomes`, () => (outcomes.length >= count ? outcomes : undefined));

  test('five seconds of silence after the last byte confirm a response, and nothing earlier does', async () => {
    const client = await RawClient.open(url);
    client.send('/a', '');
    assert.equal(await client.read(), SMALL);
    await eventually('the wait', () => (timers.size > 0 ? true : undefined));
    timers.advance(QUIET_MS - 1);
    assert.deepEqual(outcomes, []);
    timers.advance(1);
    assert.deepEqual(await told(1), ['/a confirmed']);
    await client.destroy();
  });

  test('the next request of the same kind confirms at once, on whichever socket', async () => {
    for (const fresh of [false, true]) {
      const client = await RawClient.open(url);
      client.send('/a', '');
      await client.read();
      const next = fresh ? await RawClient.open(url) : client;
      next.send('/a', '');
      await next.read();
      assert.deepEqual(outcomes, ['/a confirmed']);
      timers.advance(QUIET_MS);
      assert.deepEqual(await told(2), ['/a confirmed', '/a confirmed']);
      outcomes = [];
      await Promise.all([client.destroy(), next.destroy()]);
    }
  });

  test('a request of another kind confirms nothing, on the same socket neither', async () => {
    const client = await RawClient.open(url);
    client.send('/a', '');
    await client.read();
    client.send('/b', '');
    await client.read();
    assert.deepEqual(outcomes, []);
    assert.equal(client.socket.destroyed, false);
    client.socket.resetAndDestroy();
    assert.deepEqual((await told(2)).sort(), ['/a released', '/b released']);
  });

  test('a request that came before a response was handed over does not confirm it', async () => {
    const first = await RawClient.open(url);
    const second = await RawClient.open(url);
    const handedOver = Promise.withResolvers<void>();
    const came = Promise.withResolvers<void>();
    let requests = 0;
    before = async () => {
      requests++;
      if (requests === 1) await came.promise;
      else await handedOver.promise;
    };
    server.prependListener('request', () => requests === 1 && came.resolve());
    first.send('/a', '');
    await eventually('the first has come', () => (requests === 1 ? true : undefined));
    second.send('/a', '');
    await first.read();
    await eventually('the wait', () => (timers.size > 0 ? true : undefined));
    handedOver.resolve();
    await second.read();
    assert.deepEqual(outcomes, []);
    first.socket.resetAndDestroy();
    assert.deepEqual(await told(1), ['/a released']);
    await second.destroy();
    await told(2);
  });

  test('the peer that has read all and closes confirms at once', async () => {
    const client = await RawClient.open(url);
    client.send('/a', '');
    await client.read();
    client.socket.end();
    assert.deepEqual(await told(1), ['/a confirmed']);
  });

  test('a peer that reads one chunk and goes away releases', async () => {
    body = LARGE;
    const client = await RawClient.open(url);
    client.send('/a', '');
    await once(client.socket, 'data');
    await client.destroy();
    assert.deepEqual(await told(1), ['/a released']);
  });

  test('a peer that goes away with bytes unread, all in the kernel, releases', async () => {
    body = 'x'.repeat(200_000);
    const client = await RawClient.open(url);
    client.socket.pause();
    client.send('/a', '');
    await eventually('the wait', () => (timers.size > 0 ? true : undefined));
    await client.destroy();
    assert.deepEqual(await told(1), ['/a released']);
    assert.equal(timers.size, 0);
  });

  test('a peer that sends its request and goes away at once releases', async () => {
    for (let round = 1; round <= 20; round++) {
      const client = await RawClient.open(url);
      client.send('/a', '');
      await client.destroy();
      await told(round);
    }
    assert.deepEqual(new Set(outcomes), new Set(['/a released']));
  });

  test('a peer that asks the server to close is confirmed by its own close or by silence', async () => {
    const reads = await RawClient.open(url);
    reads.send('/a', '', ['Connection: close']);
    assert.equal(await reads.read(), SMALL);
    await eventually('the wait', () => (timers.size > 0 ? true : undefined));
    await once(reads.socket.resume(), 'end');
    await once(reads.socket, 'close');
    assert.deepEqual(await told(1), ['/a confirmed']);
    assert.equal(timers.size, 0);

    body = 'x'.repeat(200_000);
    const breaks = await RawClient.open(url);
    breaks.socket.pause();
    breaks.send('/b', '', ['Connection: close']);
    await eventually('the wait', () => (timers.size > 0 ? true : undefined));
    await breaks.destroy();
    assert.deepEqual((await told(2))[1], '/b released');

    const silent = connect({ port: Number(new URL(url).port), host: '127.0.0.1', allowHalfOpen: true });
    silent.write('GET /c HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n');
    await once(silent.resume(), 'end');
    assert.equal(outcomes.length, 2, 'the end of our side is not that of the other');
    timers.advance(QUIET_MS);
    assert.deepEqual((await told(3))[2], '/c confirmed');
    silent.destroy();
  });

  test('responses that are open when the server stops are released', async () => {
    const client = await RawClient.open(url);
    client.send('/a', '');
    await client.read();
    await eventually('the wait', () => (timers.size > 0 ? true : undefined));
    await responses.stop();
    assert.deepEqual(outcomes, ['/a released']);
    assert.equal(timers.size, 0);
    await client.destroy();
  });

  test('many responses on one connection leave no listener behind', async () => {
    const client = await RawClient.open(url);
    let sockets = 0;
    server.on('request', ({ socket }) => {
      sockets = Math.max(sockets, socket.listenerCount('close'));
    });
    for (let round = 0; round < 30; round++) {
      client.send('/a', '');
      await client.read();
    }
    assert.ok(sockets <= 6, `${sockets} listeners`);
    await client.destroy();
  });
});
