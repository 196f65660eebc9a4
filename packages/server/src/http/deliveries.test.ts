import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { pino } from 'pino';
import { eventually } from '../testing/eventually.ts';
import { FakeTimers } from '../testing/fake-timers.ts';
import { RawClient } from '../testing/raw-client.ts';
import { Deliveries } from './deliveries.ts';

const LARGE = 'x'.repeat(20_000_000);
const SMALL = 'small';

describe('deliveries', () => {
  let timers: FakeTimers;
  let deliveries: Deliveries;
  let server: Server;
  let url: string;
  let outcomes: string[];
  let body: string;

  beforeEach(async () => {
    timers = new FakeTimers();
    deliveries = new Deliveries({ timers, log: pino({ level: 'silent' }) });
    outcomes = [];
    body = SMALL;
    server = createServer(async (request, response) => {
      const name = request.url ?? '';
      const tell = (what: string) => async () => {
        outcomes.push(`${name} ${what}`);
      };
      await deliveries.watch(response, { confirm: tell('confirmed'), release: tell('released') });
      response.end(body);
    });
    deliveries.attach(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const told = (count: number) =>
    eventually(`${count} outcomes`, () => (outcomes.length >= count ? outcomes : undefined));

  test('silence after the last byte confirms, and nothing earlier does', async () => {
    const client = await RawClient.open(url);
    client.send('/a', '');
    assert.equal(await client.read(), SMALL);
    await eventually('the grace', () => (timers.size > 0 ? true : undefined));
    timers.advance(99);
    assert.deepEqual(outcomes, []);
    timers.advance(1);
    assert.deepEqual(await told(1), ['/a confirmed']);
    await client.destroy();
  });

  test('the next request on the same socket confirms at once', async () => {
    const client = await RawClient.open(url);
    client.send('/a', '');
    await client.read();
    client.send('/b', '');
    await client.read();
    assert.deepEqual(outcomes, ['/a confirmed']);
    assert.equal(client.socket.destroyed, false);
    await client.destroy();
    assert.deepEqual(await told(2), ['/a confirmed', '/b confirmed']);
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
    await eventually('the grace', () => (timers.size > 0 ? true : undefined));
    await client.destroy();
    assert.deepEqual(await told(1), ['/a released']);
    assert.equal(timers.size, 0);
  });

  const linux = process.platform === 'linux' ? {} : { skip: 'only Linux tells what is acknowledged' };

  test('silence does not confirm what is still in the kernel', linux, async () => {
    body = 'x'.repeat(2_000_000);
    const client = await RawClient.open(url);
    client.socket.pause();
    client.send('/a', '');
    await eventually('the grace', () => (timers.size > 0 ? true : undefined));
    timers.advance(2_000);
    assert.deepEqual(outcomes, []);
    assert.equal((await client.read()).length, body.length);
    timers.advance(2_000);
    assert.deepEqual(await told(1), ['/a confirmed']);
    await client.destroy();
  });

  test('a peer that takes nothing for a minute is given up', linux, async () => {
    body = 'x'.repeat(2_000_000);
    const client = await RawClient.open(url);
    client.socket.pause();
    client.send('/a', '');
    await eventually('the grace', () => (timers.size > 0 ? true : undefined));
    timers.advance(59_999);
    assert.deepEqual(outcomes, []);
    timers.advance(60_000);
    assert.deepEqual(await told(1), ['/a released']);
    await client.destroy();
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
    await eventually('the grace', () => (timers.size > 0 ? true : undefined));
    assert.deepEqual(outcomes, [], 'the server has not closed on its own');
    timers.advance(100);
    assert.deepEqual(await told(1), ['/a confirmed']);
    reads.socket.resume();
    await once(reads.socket, 'close');

    body = 'x'.repeat(200_000);
    const breaks = await RawClient.open(url);
    breaks.socket.pause();
    breaks.send('/b', '', ['Connection: close']);
    await eventually('the grace', () => (timers.size > 0 ? true : undefined));
    await breaks.destroy();
    assert.deepEqual((await told(2))[1], '/b released');
  });

  test('settling what was sent cuts the grace short', async () => {
    const client = await RawClient.open(url);
    client.send('/a', '');
    await client.read();
    await eventually('the grace', () => (timers.size > 0 ? true : undefined));
    await deliveries.settleSent();
    assert.deepEqual(outcomes, ['/a confirmed']);
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
