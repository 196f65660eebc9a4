import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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

test('a connection that lives long keeps next to nothing of the requests that were answered', async () => {
  setFlagsFromString('--expose-gc');
  const collect: (options: { type: 'minor' }) => void = runInNewContext('gc');
  const server = new EventEmitter();
  new Connections(server as Server, { most: 0, perAddress: 0 }, () => {});
  const socket = Object.assign(new EventEmitter(), { remoteAddress: '192.0.2.1' });
  server.emit('connection', socket);
  const answerOne = () => {
    const request = { socket, complete: true, body: new Array(1000).fill(0) };
    const response = new EventEmitter();
    server.emit('request', request, response);
    response.emit('close');
  };
  const kept = () => getHeapSpaceStatistics().find((one) => one.space_name === 'old_space')?.space_used_size;
  // What lives through two collections of young objects is old: only a full one would find that it is garbage.
  const answerMany = (turns: number) => {
    for (let turn = 0; turn < turns; turn++) {
      for (let request = 0; request < 100; request++) answerOne();
      collect({ type: 'minor' });
    }
  };
  // It is old before its requests come.
  answerOne();
  for (let i = 0; i < 3; i++) collect({ type: 'minor' });
  answerMany(10);
  const before = kept() ?? 0;
  answerMany(50);
  const bytesEach = ((kept() ?? 0) - before) / 5000;
  assert.ok(bytesEach < 250, `${bytesEach} bytes of each request stay`);
  server.emit('close');
});
