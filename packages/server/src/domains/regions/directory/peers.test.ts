import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, test } from 'node:test';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { listening } from '@symbolon/testkit/servers/listening';
import { Deadline } from '../../../core/deadline.ts';
import { Peers } from './peers.ts';

/** A region that a test lets go silent. */
let sockets: Socket[];
/** Connections that are silent, and how many requests came over them. */
let silent: Set<Socket>;
let allSilent: boolean;
let unanswered: number;
let server: ReturnType<typeof createServer>;
let peers: Peers;
let timers: FakeTimers;

beforeEach(async () => {
  sockets = [];
  silent = new Set();
  allSilent = false;
  unanswered = 0;
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    socket.on('data', () => {
      if (allSilent || silent.has(socket)) unanswered++;
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    });
  });
  const { url } = await listening(server);
  timers = new FakeTimers();
  peers = new Peers({
    timers,
    regions: { apiUrl: () => url } as unknown as ConstructorParameters<typeof Peers>[0]['regions'],
    frontDoorUrl: () => url,
    tokens: { pairsWith: () => [undefined], mint: () => 'token' } as unknown as ConstructorParameters<
      typeof Peers
    >[0]['tokens'],
  });
});
afterEach(async () => {
  await peers.stop();
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
});

const call = () => peers.call({ region: 'us' }, { method: 'GET', path: '/x' });

test('a region that says nothing is unavailable after five seconds', async () => {
  allSilent = true;
  const waiting = call();
  await eventually('it is asked', () => (unanswered === 1 ? true : undefined));
  timers.advance(5_000);
  await assert.rejects(waiting, {
    key: 'region.unavailable',
    status: 503,
    headers: { 'retry-after': '5' },
  });
});

test('connections that went silent are dropped with the first that is found so', async () => {
  await Promise.all([call(), call(), call()]);
  assert.equal(sockets.length, 3);
  for (const socket of sockets) silent.add(socket);
  const waiting = call();
  await eventually('it is asked', () => (unanswered === 1 ? true : undefined));
  timers.advance(5_000);
  await assert.rejects(waiting, { key: 'region.unavailable' });
  assert.equal((await call()).status, 200);
  assert.equal(unanswered, 1);
});

test('an answer that comes in time, and slowly, is taken', async () => {
  const answer = await call();
  assert.deepEqual([answer.status, answer.bytes.toString()], [200, '{}']);
  assert.equal(timers.size, 0);
});

test('a call waits no longer than what is left to its request, and that says nothing of the region', async () => {
  await call();
  allSilent = true;
  const late = new Deadline(new FakeTimers(), 1_200).bound(call);
  await eventually('it is asked', () => (unanswered === 1 ? true : undefined));
  timers.advance(1_000);
  await assert.rejects(late, { key: 'region.unavailable' });
  allSilent = false;
  assert.equal((await call()).status, 200);
});
