import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { listening } from '@symbolon/testkit/servers/listening';
import { fastify } from 'fastify';
import { PlatformError } from '../../../core/errors.ts';
import type { PeerAnswer } from '../directory/peers.ts';
import type { RelayTokens } from '../directory/relay-tokens.ts';
import { ANSWER_HEADER } from '../directory/relayed-answers.ts';
import { Relay, readAll } from './relay.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A region of the test's own, and a front door that passes every call on to it. */
async function between(t: TestContext, answers: Record<string, Answer>) {
  const bases = new Map<string, string>();
  for (const [name, answer] of Object.entries(answers)) {
    const region = createServer(async (request, response) => {
      answer(request, response, (await readAll(request, 1e9)).toString());
    });
    const { port } = await listening(region);
    t.after(() => region.closeAllConnections());
    t.after(() => region.close());
    bases.set(name, `http://127.0.0.1:${port}`);
  }
  const [first = ''] = bases.keys();
  const regions = { names: [...bases.keys()], apiUrl: (name: string) => bases.get(name) };
  const relayTokens = { pairsWith: () => ['1', '2'], mint: (...args: unknown[]) => JSON.stringify(args) };
  const words: unknown[] = [];
  const relay = new Relay({
    regions: regions as never,
    peers: {
      async call(to, call) {
        words.push([to, call.body]);
        return {} as PeerAnswer;
      },
    },
    relayTokens: relayTokens as unknown as RelayTokens,
  });
  let moves = 0;
  const app = fastify();
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.setErrorHandler((error, _request, reply) =>
    error instanceof PlatformError
      ? reply.code(error.status).headers(error.headers).send({ error_key: error.key })
      : reply.code(500).send({ error_key: String(error) }),
  );
  app.all('/*', { bodyLimit: 1e9 }, async (request, reply) => {
    const stream = request.body as IncomingMessage | undefined;
    const body = request.headers['x-stream'] || !stream ? stream : await readAll(stream, 1e6);
    return relay.pass(request, reply, { region: first, body, moved: () => moves++ });
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  t.after(() => app.close());
  t.after(() => relay.stop());
  const { port } = app.server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, port, bases, relay, words, moves: () => moves };
}

test('method, path, body and headers go on; what is about the connection or only regions may say does not', async (t) => {
  let seen: { headers: IncomingMessage['headers']; method: unknown; url: unknown; body: string } | undefined;
  const { port } = await between(t, {
    eu: ({ headers, method, url }, response, body) => {
      seen = { headers, method, url, body };
      response.writeHead(201, {
        'set-cookie': ['a=1; HttpOnly', 'b=2'],
        location: 'https://app.example/cb?code=1',
        'access-control-allow-origin': '*',
        'x-symbolon-home': 'us',
        'x-request-id': 'r1',
      });
      response.end('made');
    },
  });
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  socket.write(
    [
      'PUT /api/person/x?q=%20a HTTP/1.1',
      'Host: pages.example',
      'Connection: keep-alive, X-Secret',
      'X-Secret: 1',
      'X-Forwarded-For: 6.6.6.6',
      'Forwarded: for=6.6.6.6',
      'X-Symbolon-Source: 6.6.6.6',
      'X-Symbolon-Relay: mine',
      'Cookie: a=b; c=d',
      'X-CSRF-Token: t',
      'Content-Type: application/json',
      'Content-Length: 2',
      '',
      '{}',
    ].join('\r\n'),
  );
  let answer = '';
  for await (const chunk of socket) {
    answer += chunk;
    if (answer.includes('made')) break;
  }
  assert.deepEqual([seen?.method, seen?.url, seen?.body], ['PUT', '/api/person/x?q=%20a', '{}']);
  const { 'x-symbolon-relay': token, host, connection: _, ...headers } = seen?.headers ?? {};
  assert.deepEqual(headers, {
    cookie: 'a=b; c=d',
    'x-csrf-token': 't',
    'content-type': 'application/json',
    'content-length': '2',
  });
  assert.notEqual(host, 'pages.example');
  assert.deepEqual(JSON.parse(String(token)), [
    'eu',
    { method: 'PUT', url: '/api/person/x?q=%20a' },
    '127.0.0.1',
    '1',
  ]);
  assert.match(answer, /^HTTP\/1\.1 201 /);
  assert.match(answer, /set-cookie: a=1; HttpOnly\r\nset-cookie: b=2\r\n/i);
  assert.match(answer, /location: https:\/\/app\.example\/cb\?code=1\r\n/);
  assert.doesNotMatch(answer, /access-control|x-symbolon/);
});

test('a region that waits for it hears whether its answer was handed to the caller', async (t) => {
  const answers = {
    whole: (response: ServerResponse) => response.end('code'),
    broken: (response: ServerResponse) => response.write('co', () => response.destroy()),
  };
  const { url, words } = await between(t, {
    eu: ({ url }, response) => {
      const name = url?.slice('/api/person/'.length) as keyof typeof answers;
      response.writeHead(200, { [ANSWER_HEADER]: name, 'content-length': '4' });
      answers[name](response);
    },
  });
  const whole = await fetch(`${url}/api/person/whole`);
  assert.equal(whole.headers.get(ANSWER_HEADER), null);
  assert.equal(await whole.text(), 'code');
  await assert.rejects(fetch(`${url}/api/person/broken`).then((answer) => answer.text()));
  await eventually('both words', () => (words.length === 2 ? true : undefined));
  assert.deepEqual(words, [
    [{ region: 'eu' }, { name: 'whole', arrived: true }],
    [{ region: 'eu' }, { name: 'broken', arrived: false }],
  ]);
});

test('an address that is spelled in a second way is the address of nothing', async (t) => {
  const { port } = await between(t, { eu: (_request, response) => response.end('reached') });
  for (const path of ['/api/person/../../internal/token', '/api/person/%2e%2e/x', '/api\\person']) {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    let answer = '';
    for await (const chunk of socket) answer += chunk;
    assert.match(answer, /^HTTP\/1\.1 404 /, path);
  }
});

test('events arrive one by one, and the region hears that the client has gone', async (t) => {
  const { promise: opened, resolve: open } = Promise.withResolvers<ServerResponse>();
  const { url } = await between(t, {
    eu: (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      open(response);
    },
  });
  const leave = new AbortController();
  const stream = await fetch(`${url}/api/person/events`, { signal: leave.signal });
  const region = await opened;
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  for (const event of ['data: 1\n\n', ': still here\n\n']) {
    region.write(event);
    const { value } = await reader.read();
    assert.equal(new TextDecoder().decode(value), event);
  }
  const closed = once(region, 'close');
  leave.abort();
  await closed;
});

test('a call that its client gave up is given up at the region too', async (t) => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<ServerResponse>();
  const { url } = await between(t, { eu: (_request, response) => ask(response) });
  const leave = new AbortController();
  const call = fetch(`${url}/x`, { signal: leave.signal });
  const region = await asked;
  const closed = once(region, 'close');
  leave.abort();
  await assert.rejects(call, { name: 'AbortError' });
  await closed;
});

test('streams of events end when the front door stops', async (t) => {
  const { url, relay } = await between(t, {
    eu: (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    },
  });
  const stream = await fetch(`${url}/api/person/events`);
  const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  relay.endStreams();
  await assert.rejects(reader.read());
});

test('a region that names another one is followed once, with the same body', async (t) => {
  const asked: string[] = [];
  const moved = (response: ServerResponse, api_url: string | undefined) => {
    response.writeHead(421, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error_key: 'region.rebase_required', api_url }));
  };
  const world = await between(t, {
    eu: ({ url }, response, body) => {
      asked.push(`eu ${body}`);
      moved(response, url === '/lost' ? 'http://127.0.0.1:1' : world.bases.get('us'));
    },
    us: ({ url }, response, body) => {
      asked.push(`us ${body}`);
      if (url === '/loop') moved(response, world.bases.get('eu'));
      else response.end('here');
    },
  });
  const send = (path: string) => fetch(`${world.url}${path}`, { method: 'POST', body: path });
  assert.equal(await (await send('/x')).text(), 'here');
  assert.equal(world.moves(), 1);
  for (const path of ['/lost', '/loop']) {
    const answer = await send(path);
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1'], path);
  }
  assert.deepEqual(asked, ['eu /x', 'us /x', 'eu /lost', 'eu /loop', 'us /loop']);
});

test('a region that is away, or says nothing that is HTTP, is unavailable', async (t) => {
  const { url } = await between(t, { eu: (_request, response) => response.socket?.destroy() });
  const answer = await fetch(`${url}/x`);
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '5']);
  assert.deepEqual(await answer.json(), { error_key: 'region.unavailable' });
});

test('a refused signature is made again with the other key, and is never the answer', async (t) => {
  const keys: unknown[] = [];
  const { url } = await between(t, {
    eu: ({ headers, url: path }, response) => {
      const key = JSON.parse(String(headers['x-symbolon-relay']))[3];
      keys.push(key);
      const isRefused = key === '1' || path === '/never';
      response.writeHead(isRefused ? 401 : 200, isRefused ? { 'x-symbolon-relay': 'refused' } : {});
      response.end('answer');
    },
  });
  assert.equal(await (await fetch(`${url}/x`)).text(), 'answer');
  assert.deepEqual(keys, ['1', '2']);
  assert.equal((await fetch(`${url}/never`)).status, 503);
});

test('a large body is passed on as it comes', async (t) => {
  const size = 8 * 1024 * 1024;
  const { url } = await between(t, { eu: (_request, response, body) => response.end(String(body.length)) });
  const answer = await fetch(`${url}/x`, {
    method: 'POST',
    headers: { 'x-stream': '1' },
    body: 'x'.repeat(size),
  });
  assert.equal(await answer.text(), String(size));
});

test('a body that is read into memory may have as many bytes as are said', async () => {
  const body = () => Readable.from([Buffer.alloc(2), Buffer.alloc(3)]);
  assert.equal((await readAll(body(), 5)).length, 5);
  await assert.rejects(readAll(body(), 4), { key: 'request.too_large', status: 413 });
});
