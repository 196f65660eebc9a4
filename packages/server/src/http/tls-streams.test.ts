import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type ClientHttp2Session, connect } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, before, beforeEach, describe, test } from 'node:test';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import {
  createCertificate,
  noCertificates,
  type TestCertificate,
} from '@symbolon/testkit/servers/certificate';
import { listening } from '@symbolon/testkit/servers/listening';
import { pino } from 'pino';
import { Connections } from './connections.ts';
import { followHandover } from './handed-over.ts';
import { QUIET_MS, ResponseTracker } from './response-tracker.ts';
import { createTlsServer } from './secure-server.ts';

const LARGE = 'x'.repeat(4_000_000);

describe('over HTTP/2', { skip: noCertificates }, () => {
  let certificate: TestCertificate;
  let timers: FakeTimers;
  let responses: ResponseTracker;
  let connections: Connections;
  let server: Server;
  let outcomes: string[];
  let client: ClientHttp2Session;
  let url: string;

  before(() => {
    certificate = createCertificate('IP:127.0.0.1');
  });
  beforeEach(async () => {
    timers = new FakeTimers();
    responses = new ResponseTracker({ timers, log: pino({ level: 'silent' }) });
    outcomes = [];
    server = createTlsServer(
      certificate,
      { keepAliveTimeout: 1_000, requestTimeout: 1_000 },
      async (request, response) => {
        const name = request.url ?? '';
        const tell = (what: string) => () => void outcomes.push(`${name} ${what}`);
        if (name.startsWith('/handed')) {
          await followHandover(response, { done: tell('done'), failed: tell('failed') });
          response.end(name.includes('large') ? LARGE : 'small');
          return;
        }
        if (name === '/drip') return void request.resume();
        await responses.confirmBefore(request, name);
        const [confirm, release] = [tell('confirmed'), tell('released')];
        await responses.watch(response, name, {
          confirm: async () => confirm(),
          release: async () => release(),
        });
        response.end(name.includes('large') ? LARGE : 'small');
      },
    );
    responses.attach(server);
    connections = new Connections(server, { most: 0, perAddress: 3 }, () => {}, { overTls: true });
    const { port } = await listening(server);
    url = `https://127.0.0.1:${port}`;
    client = connect(url, { ca: certificate.cert }).on('error', () => {});
  });
  afterEach(async () => {
    client.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    await responses.stop();
  });
  const told = (count: number) =>
    eventually(`${count} outcomes`, () => (outcomes.length >= count ? outcomes : undefined));
  const waits = (count = 1) => eventually('the wait', () => (timers.size >= count ? true : undefined));

  test('a response is confirmed by a ping after silence, and streams beside it do not end with it', async () => {
    assert.equal(await text(client.request({ ':path': '/a' })), 'small');
    await waits();
    timers.advance(QUIET_MS - 1);
    assert.deepEqual(outcomes, []);
    timers.advance(1);
    assert.deepEqual(await told(1), ['/a confirmed']);
    assert.equal(await text(client.request({ ':path': '/b' })), 'small');
  });

  test('the next request of its kind confirms a response, and none of another kind does', async () => {
    await text(client.request({ ':path': '/a' }));
    await waits();
    await text(client.request({ ':path': '/b' }));
    await waits(2);
    assert.deepEqual(outcomes, []);
    await text(client.request({ ':path': '/a' }));
    assert.deepEqual(await told(1), ['/a confirmed']);
  });

  test('a client that has read all and closes confirms', async () => {
    await text(client.request({ ':path': '/a' }));
    await waits();
    client.close();
    assert.deepEqual(await told(1), ['/a confirmed']);
  });

  test('a stream that its client cancels releases, and so does a connection that breaks', async () => {
    const cancelled = client.request({ ':path': '/large' });
    await once(cancelled, 'data');
    cancelled.close(8);
    assert.deepEqual(await told(1), ['/large released']);
    const broken = client.request({ ':path': '/large' }).on('error', () => {});
    await once(broken, 'data');
    client.destroy();
    assert.deepEqual(await told(2), ['/large released', '/large released']);
  });

  test('a response that is handed over, and one that is not', async () => {
    await text(client.request({ ':path': '/handed' }));
    assert.deepEqual(await told(1), ['/handed done']);
    const cancelled = client.request({ ':path': '/handed-large' });
    await once(cancelled, 'data');
    cancelled.close(8);
    assert.deepEqual((await told(2))[1], '/handed-large failed');
  });

  test('a body that drips is ended, and streams beside it go on', async () => {
    const drips = client.request({ ':path': '/drip', ':method': 'POST' });
    const ended = once(drips, 'error');
    drips.write('x');
    await eventually('the body is read', () => {
      connections.look();
      return drips.destroyed ? true : undefined;
    });
    const [error] = await ended;
    assert.match(error.message, /NGHTTP2_ENHANCE_YOUR_CALM/);
    assert.equal(await text(client.request({ ':path': '/a' })), 'small');
  });

  test('the connection of an address that is idle longest makes room for a new one', async () => {
    const clients = [client];
    for (let count = 0; count < 3; count++) {
      await text(client.request({ ':path': '/a' }));
      clients.push(connect(url, { ca: certificate.cert }).on('error', () => {}));
      await text((clients.at(-1) as ClientHttp2Session).request({ ':path': '/handed' }));
    }
    await eventually('one is ended', () => (clients.some(({ destroyed }) => destroyed) ? true : undefined));
    assert.deepEqual(
      clients.map(({ destroyed }) => destroyed),
      [false, true, false, false],
      'the first one was used between the others',
    );
    for (const other of clients.slice(1)) other.destroy();
  });

  test('a connection without a handshake does not hold an end up', async () => {
    await text(client.request({ ':path': '/a' }));
    const accepted = once(server, 'connection');
    const silent = connectTcp(Number(new URL(url).port), '127.0.0.1').on('error', () => {});
    await accepted;
    const gone = once(silent.resume(), 'close');
    const looking = setInterval(() => connections.endUnused(), 1);
    await gone;
    clearInterval(looking);
    assert.equal(client.destroyed, false);
  });
});
