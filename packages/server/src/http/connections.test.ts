import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Connections } from './connections.ts';

/** A server that ends silent connections after 50 ms, and a connection to it that has sent a request and reads nothing. */
async function asked(t: TestContext, answer: RequestListener) {
  const server = createServer({ keepAliveTimeout: 1, keepAliveTimeoutBuffer: 1 }, answer).listen(
    0,
    '127.0.0.1',
  );
  new Connections(server, { most: 0, perAddress: 0 }, () => {}, { stalledMs: 50 });
  await once(server, 'listening');
  const accepted = once(server, 'connection');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  t.after(() => {
    client.destroy();
    server.close();
  });
  client.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [socket] = (await accepted) as [Socket];
  return { client, socket };
}

test('a connection ends when its client takes nothing of an answer', async (t) => {
  const { socket } = await asked(t, (_request, response) => response.end(Buffer.alloc(64 * 1024 * 1024)));
  await once(socket, 'close');
});

test('an answer that takes long to make is waited for', async (t) => {
  const { client, socket } = await asked(t, ({ socket: own }, response) => {
    own.once('timeout', () => setImmediate(() => response.end('made')));
  });
  const [first] = (await once(client.resume(), 'data')) as [Buffer];
  assert.match(first.toString(), /made/);
  // Idle from then on, it ends like any other.
  await once(socket, 'close');
});
