import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import type { ChangeEvent } from '@symbolon/protocol';
import { fastify } from 'fastify';
import { toXml } from '../../../server/src/http/xml.ts';
import { type ExpressRequest, expressHandler } from './express-handler.ts';
import { fastifyPlugin } from './fastify-plugin.ts';
import { fetchHandler } from './fetch-handler.ts';
import { nodeHandler } from './node-handler.ts';
import { fieldUpdated, SECRET, signed } from './testing/deliveries.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

const MAX_BYTES = 4096;

function receiving() {
  const events: ChangeEvent[] = [];
  const errors: unknown[] = [];
  const receiver = new WebhookReceiver({
    webhooks: { authType: 'hmac', secret: SECRET },
    maxBytes: MAX_BYTES,
    onEvent: (event) => void events.push(event),
    onError: (error) => errors.push(error),
  });
  return { receiver, events, errors };
}

async function listen(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Each way of putting a receiver on the network, as an address. */
const adapters: Record<string, (t: TestContext, receiver: WebhookReceiver) => Promise<string>> = {
  'node:http': (t, receiver) => listen(t, nodeHandler(receiver)),
  Fastify: async (t, receiver) => {
    const app = fastify();
    t.after(() => app.close());
    app.post('/json', async ({ body }) => ({ parsed: body }));
    await app.register(fastifyPlugin(receiver), { prefix: '/hooks' });
    return `${await app.listen({ host: '127.0.0.1', port: 0 })}/hooks`;
  },
  Express: (t, receiver) => listen(t, express(expressHandler(receiver))),
  'Express after express.raw': (t, receiver) => listen(t, express(expressHandler(receiver), 'raw')),
  'Request and Response': (t, receiver) => listen(t, standard(fetchHandler(receiver))),
  'Express that kept rawBody': (t, receiver) => listen(t, express(expressHandler(receiver), 'kept')),
};

for (const [name, start] of Object.entries(adapters)) {
  test(`${name}: the adapter passes JSON and XML as raw bytes, whatever their content type`, async (t) => {
    const { receiver, events } = receiving();
    const url = await start(t, receiver);
    const types = ['application/json; charset=utf-8', 'application/xml', 'text/plain'];
    for (const [index, type] of types.entries()) {
      const event = fieldUpdated({ at: `at ${index}` });
      // Bytes that no parser would write again like this.
      const delivery = signed(type.includes('json') ? JSON.stringify(event, null, 3) : toXml(event));
      const response = await fetch(url, {
        method: 'POST',
        ...delivery,
        headers: { ...delivery.headers, 'content-type': type },
      });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8');
      assert.deepEqual(await response.json(), { received: true });
      assert.deepEqual(events.at(-1), event);
    }
  });

  test(`${name}: the adapter refuses deliveries that are not authentic or not well-formed`, async (t) => {
    const { receiver, events, errors } = receiving();
    const url = await start(t, receiver);
    const post = async (delivery: ReturnType<typeof signed>) => {
      const response = await fetch(url, { method: 'POST', ...delivery });
      return [response.status, ((await response.json()) as { error: string }).error];
    };
    const good = signed(fieldUpdated());
    const tampered = Uint8Array.from(good.body);
    tampered[20]! ^= 1;
    assert.deepEqual(await post({ ...good, body: tampered }), [401, 'signature_wrong']);
    assert.deepEqual(await post(signed('not json')), [400, 'body_malformed']);
    assert.deepEqual(await post(signed('')), [400, 'body_malformed']);
    assert.deepEqual(events, []);
    assert.equal(errors.length, 3);
  });

  test(`${name}: the adapter refuses a large body with and without a content-length`, async (t) => {
    const { receiver, errors } = receiving();
    const url = await start(t, receiver);
    assert.deepEqual(await upload(url, Buffer.alloc(MAX_BYTES + 1), { declared: true }), [413, 'too_large']);
    assert.deepEqual(await upload(url, Buffer.alloc(MAX_BYTES * 4), { declared: false }), [413, 'too_large']);
    assert.equal(errors.length, 2);
  });
}

for (const name of ['node:http', 'Request and Response']) {
  test(`${name}: the handler answers 405 to other methods than POST`, async (t) => {
    const { receiver } = receiving();
    const response = await fetch((await adapters[name]?.(t, receiver)) ?? '');
    assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST']);
  });
}

test('node:http: the handler reports a sender that hangs up to onError and does nothing else', async (t) => {
  const { receiver, events, errors } = receiving();
  const finished = Promise.withResolvers<void>();
  const handler = nodeHandler(receiver);
  const url = await listen(
    t,
    (incoming, response) => void handler(incoming, response).then(finished.resolve),
  );
  const sent = request(url, { method: 'POST', headers: { 'content-length': 100 } });
  sent.on('error', () => undefined).write('half', () => sent.destroy());
  await finished.promise;
  assert.deepEqual(events, []);
  assert.deepEqual(
    (errors as { errorKey: string }[]).map(({ errorKey }) => errorKey),
    ['sdk.webhook_aborted'],
  );
});

test('Fastify: the plugin leaves the parsers and errors of the rest of the application alone', async (t) => {
  const { receiver } = receiving();
  const url = (await adapters.Fastify!(t, receiver)).replace('/hooks', '/json');
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body: '{"a":1}' });
  assert.deepEqual(await response.json(), { parsed: { a: 1 } });
  assert.equal((await fetch(url, { method: 'POST', headers, body: '{' })).status, 400);
  const xml = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/xml' },
    body: '<a/>',
  });
  assert.equal(xml.status, 415);
});

test('Fastify: the plugin refuses an invalid content type', async (t) => {
  const { receiver } = receiving();
  const url = await adapters.Fastify!(t, receiver);
  const { body, headers } = signed(fieldUpdated());
  const response = await fetch(url, { method: 'POST', body, headers: { ...headers, 'content-type': '' } });
  assert.equal(response.status, 400);
});

test('Express: the error after express.json() says what to do', async (t) => {
  const { receiver, errors } = receiving();
  const passed: unknown[] = [];
  const url = await listen(t, express(expressHandler(receiver), 'json', passed));
  assert.equal((await fetch(url, { method: 'POST', ...signed(fieldUpdated()) })).status, 500);
  assert.equal((passed[0] as { errorKey: string }).errorKey, 'sdk.webhook_body_parsed');
  assert.match((passed[0] as Error).message, /before body parsers such as express\.json\(\)/);
  assert.deepEqual(errors, passed);
});

/** What the servers of Workers, Deno and Bun do around a handler. */
function standard(handler: ReturnType<typeof fetchHandler>): RequestListener {
  return async (incoming, response) => {
    const { method = '', headersDistinct, url } = incoming;
    const headers = Object.entries(headersDistinct).map(([name, values = []]): [string, string] => {
      return [name, values.join(', ')];
    });
    const body = method === 'GET' ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>);
    const init = { method, headers, body, duplex: 'half' } as const;
    const answer = await handler(new Request(`http://receiver${url}`, init));
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  };
}

/** What Express does around a handler: a body parser before it, perhaps, and an end for `next(error)`. */
function express(
  handler: ReturnType<typeof expressHandler>,
  parser?: 'raw' | 'json' | 'kept',
  passed: unknown[] = [],
): RequestListener {
  return async (incoming, response) => {
    const expressRequest: ExpressRequest = incoming;
    if (parser) {
      const bytes = Buffer.concat(await incoming.toArray());
      expressRequest.body = parser === 'raw' ? bytes : { parsed: true };
      if (parser === 'kept') expressRequest.rawBody = bytes;
    } else {
      // What body-parser 1 leaves behind when the type is not its own.
      expressRequest.body = {};
    }
    await handler(expressRequest, response, (error) => {
      passed.push(error);
      response.writeHead(500).end();
    });
  };
}

function upload(url: string, body: Buffer, { declared }: { declared: boolean }): Promise<[number, string]> {
  const headers = { 'content-type': 'application/json', ...(declared && { 'content-length': body.length }) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve([response.statusCode ?? 0, JSON.parse(text).error]);
    });
    sent.on('error', reject);
    if (!declared) sent.flushHeaders();
    sent.end(body);
  });
}
