import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { connect, createServer, type Server, Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { listening } from '@symbolon/testkit/servers/listening';
import type { Dial } from './outgoing-socket.ts';
import type { ResolvedAddress, Resolver } from './resolver.ts';
import { type OutgoingResult, OutgoingSender, type OutgoingSenderOptions } from './sender.ts';

const BODY = Buffer.from('{"event":"field_updated"}');
const PUBLIC_A = '93.184.216.34';
const PUBLIC_B = '2606:4700:4700::1111';

const cleanUps: (() => unknown)[] = [];
after(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
});

const noResolver: Resolver = { resolve: () => Promise.reject(new Error('nothing to resolve here')) };

function newSender(options: Partial<OutgoingSenderOptions> = {}): OutgoingSender {
  const sender = new OutgoingSender({ resolver: noResolver, allowLoopback: true, ...options });
  cleanUps.push(() => sender.stop());
  return sender;
}

async function listen(server: Server): Promise<number> {
  const { port } = await listening(server);
  return port;
}

/** An HTTP server that counts its connections and records its requests. */
async function httpSink(answer: RequestListener) {
  const requests: { head: IncomingMessage; body: string }[] = [];
  let connections = 0;
  const server = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({ head: request, body: Buffer.concat(chunks).toString() });
    answer(request, response);
  });
  server.on('connection', () => connections++);
  const port = await listen(server);
  cleanUps.push(() => server.close().closeAllConnections());
  return { port, url: `http://127.0.0.1:${port}/hook?x=1`, requests, connections: () => connections };
}

/** A TCP server that calls `serve` once something was sent over a connection. */
async function rawSink(serve: (socket: Socket, connection: number) => void) {
  const closed: Promise<unknown>[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    closed.push(new Promise((resolve) => socket.once('close', resolve)));
    const connection = closed.length;
    socket.once('data', () => serve(socket, connection));
    socket.resume();
  });
  const port = await listen(server);
  cleanUps.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { port, url: `http://127.0.0.1:${port}/`, closed };
}

const post = (url: string, headers: Record<string, string> = {}) => ({ url, headers, body: BODY });

/** Connects to one port of this machine whatever the address, and records the address. */
function recordingDial(port: number): { dial: Dial; dialed: string[] } {
  const dialed: string[] = [];
  return {
    dialed,
    dial(addresses, wanted) {
      const { address } = addresses[0]!;
      dialed.push(`${address}:${wanted}`);
      return Object.defineProperty(connect(port, '127.0.0.1'), 'remoteAddress', { value: address });
    },
  };
}

/** Answers with one list after the other, then always with the last one. */
function scriptedResolver(...answers: string[][]): Resolver & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async resolve(host): Promise<ResolvedAddress[]> {
      asked.push(host);
      const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
      return answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    },
  };
}

/** An HTTP server in a separate thread. `flag` goes from 0 to 1 with the request and, when a test sets 2, to 3 with the answer. */
async function threadSink() {
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(
    `const { workerData: flag, parentPort } = require('node:worker_threads');
    const server = require('node:http').createServer(async (request, response) => {
      Atomics.store(flag, 0, 1);
      await Atomics.waitAsync(flag, 0, 1).value;
      response.end('thanks', () => {
        Atomics.store(flag, 0, 3);
        Atomics.notify(flag, 0);
      });
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
    { eval: true, workerData: flag },
  );
  cleanUps.push(() => worker.terminate());
  const [port] = await once(worker, 'message');
  return { url: `http://127.0.0.1:${port}/`, flag };
}

describe('OutgoingSender', () => {
  describe('answers', () => {
    it('sends the body and headers unchanged and returns the answer', async () => {
      const sink = await httpSink((_request, response) => response.end('thanks'));
      const result = await newSender({ clock: { now: () => 1_000 } }).send(
        post(sink.url, { 'content-type': 'application/json', 'X-Platform-Event': 'field_updated' }),
      );
      assert.deepEqual(
        { ...result, body: result.kind === 'answered' && Buffer.from(result.body).toString() },
        { kind: 'answered', status: 200, durationMs: 0, body: 'thanks' },
      );
      const [request] = sink.requests;
      assert.equal(request?.body, BODY.toString());
      assert.equal(request.head.method, 'POST');
      assert.equal(request.head.url, '/hook?x=1');
      assert.deepEqual(request.head.headers, {
        host: `127.0.0.1:${sink.port}`,
        connection: 'keep-alive',
        'content-type': 'application/json',
        'x-platform-event': 'field_updated',
        'content-length': String(BODY.length),
      });
    });

    it('sends a GET request without a body', async () => {
      const sink = await httpSink((_request, response) => response.end());
      const result = await newSender().send({
        url: sink.url,
        method: 'GET',
        headers: {},
        body: new Uint8Array(),
      });
      assert.equal(result.kind, 'answered');
      assert.equal(sink.requests[0]?.head.method, 'GET');
      assert.equal(sink.requests[0].head.headers['content-length'], undefined);
    });

    for (const status of [200, 201, 204, 302, 304, 404, 429, 500, 503]) {
      it(`returns status ${status} and follows no redirect`, async () => {
        const sink = await httpSink((_request, response) => {
          response.writeHead(status, { location: '/elsewhere', 'set-cookie': 'a=b' }).end();
        });
        const sender = newSender();
        for (let time = 1; time <= 2; time++) {
          const result = await sender.send(post(sink.url));
          assert.deepEqual([result.kind, result.kind === 'answered' && result.status], ['answered', status]);
        }
        assert.equal(sink.requests.length, 2);
        assert.equal(sink.requests[1]?.head.headers.cookie, undefined);
      });
    }

    it('reads an answer that comes in pieces and is as large as allowed', async () => {
      const sink = await httpSink((_request, response) => {
        response.write('a'.repeat(600));
        setImmediate(() => response.end('b'.repeat(400)));
      });
      const result = await newSender({ maxResponseBytes: 1000 }).send(post(sink.url));
      assert.equal(result.kind === 'answered' && result.body.length, 1000);
    });

    for (const interim of [
      'HTTP/1.1 100 Continue\r\n\r\n',
      'HTTP/1.1 100\r\nX-Note: none\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n',
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n',
    ]) {
      it(`passes over ${JSON.stringify(interim)}, in one piece and byte by byte`, async () => {
        const answer = `${interim}HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\nHTTP/1.1 100 stays`;
        for (const size of [answer.length, 1]) {
          const sink = await rawSink(async (socket) => {
            socket.setNoDelay(true);
            for (let at = 0; at < answer.length; at += size) {
              socket.write(answer.slice(at, at + size));
              if (size === 1) await new Promise((resolve) => setImmediate(resolve));
            }
          });
          const result = await newSender().send(post(sink.url));
          assert.equal(result.kind, 'answered', JSON.stringify(result));
          const { status, body } = result as Extract<OutgoingResult, { kind: 'answered' }>;
          assert.deepEqual([status, Buffer.from(body).toString()], [200, 'HTTP/1.1 100 stays']);
        }
      });
    }

    it('an upgrade that nobody asked for is a bad answer', async () => {
      const sink = await rawSink((socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'));
      const result = await newSender().send(post(sink.url));
      assert.partialDeepStrictEqual(result, { kind: 'failed', reason: 'invalid', detail: 'bad upgrade' });
    });

    it('ignores interim answers (1xx)', async () => {
      const sink = await rawSink((socket) =>
        socket.write('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'),
      );
      const result = await newSender().send(post(sink.url));
      assert.equal(result.kind === 'answered' && result.status, 200);
    });

    it('ignores a proxy that the environment names', async () => {
      const sink = await httpSink((_request, response) => response.end());
      process.env.HTTP_PROXY = process.env.http_proxy = 'http://127.0.0.1:1';
      try {
        assert.equal((await newSender().send(post(sink.url))).kind, 'answered');
      } finally {
        delete process.env.HTTP_PROXY;
        delete process.env.http_proxy;
      }
    });
  });

  describe('bad answers', () => {
    const OK = 'HTTP/1.1 200 OK\r\n';
    const cases: [string, string, (socket: Socket) => void][] = [
      ['a connection reset', 'reset', (socket) => socket.resetAndDestroy()],
      ['a connection closed without an answer', 'reset', (socket) => socket.end()],
      ['a connection closed within the header', 'reset', (socket) => socket.end(OK)],
      [
        'a body shorter than announced',
        'reset',
        (socket) => socket.end(`${OK}Content-Length: 100\r\n\r\nshort`),
      ],
      [
        'a chunked body without its end',
        'reset',
        (socket) => socket.end(`${OK}Transfer-Encoding: chunked\r\n\r\n5\r\nab`),
      ],
      ['what is not HTTP', 'invalid', (socket) => socket.write('SSH-2.0-OpenSSH_9.9\r\n')],
      [
        'an upgrade',
        'invalid',
        (socket) => socket.write('HTTP/1.1 101 Switching\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
      ],
      ['a bad length', 'invalid', (socket) => socket.write(`${OK}Content-Length: -1\r\n\r\n`)],
      [
        'a length twice',
        'invalid',
        (socket) => socket.write(`${OK}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`),
      ],
      [
        'interim answers without end',
        'invalid',
        (socket) => socket.write('HTTP/1.1 103 Hint\r\n\r\n'.repeat(50)),
      ],
      ['an endless header', 'too_large', (socket) => pump(socket, OK, `X-A: ${'a'.repeat(1000)}\r\n`)],
      ['an endless body', 'too_large', (socket) => pump(socket, `${OK}\r\n`, 'a'.repeat(1000))],
      [
        'endless chunks',
        'too_large',
        (socket) => pump(socket, `${OK}Transfer-Encoding: chunked\r\n\r\n`, `3e8\r\n${'a'.repeat(1000)}\r\n`),
      ],
      [
        'a huge body',
        'too_large',
        (socket) => socket.write(`${OK}Content-Length: 200000\r\n\r\n${'a'.repeat(200_000)}`),
      ],
    ];
    for (const [what, reason, serve] of cases) {
      it(`fails with ${reason} on ${what}, and closes the connection`, async () => {
        const sink = await rawSink(serve);
        const result = await newSender().send(post(sink.url));
        assert.equal(result.kind === 'failed' ? result.reason : result.kind, reason);
        await Promise.all(sink.closed);
        assert.equal(sink.closed.length, 1, 'a request was sent twice');
      });
    }

    it('cuts a body that is too long where that is asked for, and closes the connection', async () => {
      for (const [what, reason, serve] of cases) {
        if (reason !== 'too_large' || what === 'an endless header') continue;
        const sink = await rawSink(serve);
        const result = await newSender({ cutsLongAnswers: true, maxResponseBytes: 1000 }).send(
          post(sink.url),
        );
        assert.partialDeepStrictEqual(result, { kind: 'answered', status: 200, isCut: true }, what);
        assert.ok(result.kind === 'answered' && result.body.length <= 1000, what);
        await Promise.all(sink.closed);
        assert.equal(sink.closed.length, 1, 'a request was sent twice');
      }
    });

    it('does not take bytes that follow an answer as the next answer', async () => {
      const sink = await rawSink((socket, connection) =>
        socket.write(
          connection === 1
            ? `${OK}Content-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nforged!`
            : `${OK}Content-Length: 6\r\n\r\nsecond`,
        ),
      );
      const sender = newSender();
      const bodies = [];
      for (let time = 1; time <= 2; time++) {
        const result = await sender.send(post(sink.url));
        bodies.push(result.kind === 'answered' && Buffer.from(result.body).toString());
      }
      assert.deepEqual(bodies, ['ok', 'second']);
    });
  });

  describe('time', () => {
    const slow: [string, (socket: Socket) => void][] = [
      ['no answer', () => undefined],
      ['a trickled header', (socket) => trickle(socket, 'HTTP/1.1 200 OK\r\nX-A: ')],
      ['a trickled body', (socket) => trickle(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 60000\r\n\r\n')],
    ];
    for (const [what, serve] of slow) {
      it(`fails with timeout after the time limit on ${what}`, async () => {
        const sink = await rawSink(serve);
        const result = await newSender({ timeoutMs: 60 }).send(post(sink.url));
        assert.equal(result.kind === 'failed' && result.reason, 'timeout');
        assert.ok(result.durationMs >= 50 && result.durationMs < 5_000, String(result.durationMs));
        await Promise.all(sink.closed);
      });
    }

    it('closes the socket when connecting takes longer than the time limit', async () => {
      const socket = new Socket();
      const sender = newSender({ timeoutMs: 20, dial: () => socket });
      const result = await sender.send(post('http://127.0.0.1:9/'));
      assert.equal(result.kind === 'failed' && result.reason, 'timeout');
      assert.equal(socket.destroyed, true);
    });

    it('fails with dns when resolving the host takes longer than the time limit', async () => {
      const sender = newSender({ timeoutMs: 20, resolver: { resolve: () => new Promise(() => undefined) } });
      const result = await sender.send(post('https://example.com/'));
      assert.equal(result.kind === 'failed' && result.reason, 'dns');
    });

    it('uses the timers it is given, and cancels them', async () => {
      const sink = await httpSink((_request, response) => response.end());
      const events: string[] = [];
      const timers = {
        after(ms: number): () => void {
          events.push(`after ${ms}`);
          return () => events.push('off');
        },
      };
      await newSender({ timers }).send(post(sink.url));
      proves('limit:delivery-time');
      assert.deepEqual(events, ['after 10000', 'off']);
    });
  });

  describe('addresses', () => {
    it('refuses a URL that must not be called', async () => {
      const sender = newSender({ allowLoopback: false });
      for (const url of [
        'http://example.com/',
        'https://127.0.0.1/',
        'https://localhost/',
        'https://[::1]/',
        'x',
      ]) {
        const result = await sender.send(post(url));
        assert.equal(result.kind === 'failed' && result.reason, 'address_refused', url);
      }
    });

    it('refuses a host when a single one of its addresses is not public, even in development', async () => {
      for (const addresses of [
        [PUBLIC_A, '10.0.0.1'],
        ['::1', PUBLIC_B],
        ['127.0.0.1'],
        ['::ffff:8.8.8.8'],
      ]) {
        for (const allowLoopback of [true, false]) {
          const { dial, dialed } = recordingDial(1);
          const sender = newSender({ allowLoopback, dial, resolver: scriptedResolver(addresses) });
          const result = await sender.send(post('https://example.com/'));
          assert.equal(result.kind === 'failed' && result.reason, 'address_refused', addresses.join());
          assert.deepEqual(dialed, []);
        }
      }
    });

    it('fails with dns when the host has no address', async () => {
      for (const resolver of [noResolver, scriptedResolver([])]) {
        const result = await newSender({ resolver }).send(post('https://example.com/'));
        assert.equal(result.kind === 'failed' && result.reason, 'dns');
      }
    });

    it('refuses a connection that leads to an address that was not checked', async () => {
      const sink = await httpSink((_request, response) => response.end());
      const sender = newSender({
        resolver: scriptedResolver([PUBLIC_A]),
        dial: () => connect(sink.port, '127.0.0.1'),
      });
      const result = await sender.send(post('https://example.com/'));
      assert.equal(result.kind === 'failed' && result.reason, 'connect');
      assert.equal(sink.requests.length, 0);
    });

    it('does not ask the resolver for IP addresses and localhost', async () => {
      const sink = await httpSink((_request, response) => response.end());
      for (const host of ['127.0.0.1', 'localhost', '2130706433']) {
        assert.equal((await newSender().send(post(`http://${host}:${sink.port}/`))).kind, 'answered', host);
      }
    });

    it('fails with connect when the port is closed', async () => {
      const server = createServer();
      const port = await listen(server);
      server.close();
      await once(server, 'close');
      for (const host of ['127.0.0.1', 'localhost']) {
        const result = await newSender().send(post(`http://${host}:${port}/`));
        assert.equal(result.kind === 'failed' && result.reason, 'connect');
      }
    });
  });

  describe('sockets', () => {
    it('sockets are kept alive, one for each request at the same time', async () => {
      const sink = await httpSink((_request, response) => response.end('ok'));
      const sender = newSender();
      for (let time = 0; time < 5; time++) await sender.send(post(sink.url));
      assert.equal(sink.connections(), 1);
      for (let round = 0; round < 2; round++) {
        const results = await Promise.all(Array.from({ length: 150 }, () => sender.send(post(sink.url))));
        assert.ok(results.every(({ kind }) => kind === 'answered'));
      }
      assert.equal(sink.connections(), 150);
    });

    it('a socket is closed after its answer when more are unused than allowed', async () => {
      const sink = await httpSink((_request, response) => response.end('ok'));
      const sender = newSender({ maxUnusedSockets: 2 });
      await Promise.all(Array.from({ length: 5 }, () => sender.send(post(sink.url))));
      await Promise.all(Array.from({ length: 5 }, () => sender.send(post(sink.url))));
      assert.equal(sink.connections(), 8);
    });

    it('a socket that the server closed is replaced', async () => {
      const sink = await rawSink((socket) => {
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      });
      const sender = newSender();
      for (let time = 1; time <= 5; time++) {
        assert.partialDeepStrictEqual(await sender.send(post(sink.url)), { kind: 'answered', status: 200 });
        await sink.closed[time - 1];
      }
      assert.equal(sink.closed.length, 5);
    });

    it('a socket is not used again after Connection: close', async () => {
      const sink = await httpSink((_request, response) => response.setHeader('connection', 'close').end());
      const sender = newSender();
      for (let time = 1; time <= 3; time++)
        assert.equal((await sender.send(post(sink.url))).kind, 'answered');
      assert.equal(sink.connections(), 3);
    });

    it('a request whose socket is lost after it was sent fails, and is never sent again', async () => {
      let received = 0;
      const sink = await rawSink((socket) => {
        received++;
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
        socket.once('data', () => {
          received++;
          socket.resetAndDestroy();
        });
      });
      const sender = newSender();
      assert.equal((await sender.send(post(sink.url))).kind, 'answered');
      const result = await sender.send(post(sink.url));
      assert.equal(result.kind === 'failed' && result.reason, 'reset');
      assert.equal(received, 2);
    });
  });

  describe('aborting', () => {
    it('a signal aborts a request before it begins, while resolving and while waiting for the answer', async () => {
      const sink = await rawSink(() => undefined);
      const pending: Resolver = { resolve: () => new Promise(() => undefined) };
      const controller = new AbortController();
      const waiting = newSender().send(post(sink.url), controller.signal);
      const others = Array.from({ length: 20 }, () =>
        newSender({ resolver: pending }).send(post('https://example.com/'), controller.signal),
      );
      setImmediate(() => controller.abort());
      for (const result of await Promise.all([waiting, ...others])) {
        assert.equal(result.kind === 'failed' && result.reason, 'aborted');
      }
      const late = await newSender().send(post(sink.url), controller.signal);
      assert.equal(late.kind === 'failed' && late.reason, 'aborted');
      await Promise.all(sink.closed);
    });

    it('a request that has less time than the sender gives fails after it, and tells what it waited for', async () => {
      const sink = await rawSink(() => undefined);
      const pending: Resolver = { resolve: () => new Promise(() => undefined) };
      const timers = new FakeTimers();
      const waiting = newSender({ timers }).send({ ...post(sink.url), mostMs: 9_000 });
      const resolving = newSender({ timers, resolver: pending }).send({
        ...post('https://example.com/'),
        mostMs: 9_000,
      });
      timers.advance(9_000);
      const results = await Promise.all([waiting, resolving]);
      const reasons = results.map((result) => result.kind === 'failed' && result.reason);
      assert.deepEqual(reasons, ['timeout', 'dns']);
      assert.equal(timers.size, 0);
    });

    it('stopping the sender lets requests in flight end and refuses new ones', async () => {
      let answer: (() => void) | undefined;
      const arrived = Promise.withResolvers<void>();
      const sink = await httpSink((_request, response) => {
        answer = () => response.end();
        arrived.resolve();
      });
      const sender = newSender();
      const result = sender.send(post(sink.url));
      await arrived.promise;
      const stopped = sender.stop();
      const refused = await sender.send(post(sink.url));
      assert.equal(refused.kind === 'failed' && refused.reason, 'aborted');
      answer?.();
      await stopped;
      assert.equal((await result).kind, 'answered');
      await sender.stop();
    });
  });

  it('fails with invalid when the headers cannot be sent', async () => {
    const sink = await httpSink((_request, response) => response.end());
    const sender = newSender();
    for (const headers of [
      { Host: 'internal' },
      { 'x-a': 'b\r\nc: d' },
      { 'bad name': 'x' },
      { 'content-length': '1' },
      { 'transfer-encoding': 'chunked' },
      { expect: '100-continue' },
    ] as Record<string, string>[]) {
      const result = await sender.send(post(sink.url, headers));
      assert.equal(result.kind === 'failed' && result.reason, 'invalid', JSON.stringify(headers));
    }
    assert.equal((await sender.send(post(sink.url))).kind, 'answered');
    assert.equal(sink.requests.length, 1);
  });
});

/** Writes until the client closes the connection. */
function pump(socket: Socket, first: string, again: string): void {
  socket.write(first);
  const more = (): void => {
    while (!socket.destroyed && socket.write(again));
  };
  socket.on('drain', more);
  more();
}

/** Writes a byte every 5 ms until the client closes the connection. */
function trickle(socket: Socket, first: string): void {
  socket.write(first);
  const timer = setInterval(() => socket.write('a'), 5);
  socket.once('close', () => clearInterval(timer));
}

describe('a process that was paused', () => {
  it('reads an answer that came meanwhile before it believes that its time is over', async () => {
    const { url, flag } = await threadSink();
    const timeoutMs = 300;
    const sending = newSender({ timeoutMs }).send(post(url));
    while (Atomics.load(flag, 0) !== 1) await new Promise(setImmediate);
    // Paused from here, until the answer has come and the time is over.
    Atomics.store(flag, 0, 2);
    Atomics.notify(flag, 0);
    Atomics.wait(flag, 0, 2);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, timeoutMs + 100);
    const result = await sending;
    assert.equal(result.kind === 'answered' && result.status, 200, JSON.stringify(result));
  });
});
