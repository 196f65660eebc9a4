import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { type AbusedPlatform, closed, startAbused } from './support/abused-platform.ts';

const MOST = 60;
const PER_ADDRESS = 40;

let abused: AbusedPlatform;
before(async () => {
  abused = await startAbused({
    SYMBOLON_CONNECTIONS: String(MOST),
    SYMBOLON_CONNECTIONS_PER_ADDRESS: String(PER_ADDRESS),
  });
});
after(() => abused.end());

/** Opens connections from an address of this machine. */
async function open(localAddress: string, count: number): Promise<Socket[]> {
  const { hostname, port } = new URL(abused.url);
  const sockets = Array.from({ length: count }, () =>
    connect({ port: Number(port), host: hostname, localAddress })
      .on('error', () => {})
      .resume(),
  );
  await Promise.all(
    sockets.map((socket) => (socket.connecting ? once(socket, 'connect').catch(() => {}) : undefined)),
  );
  return sockets;
}

/** Asks for the health over a connection of its own. */
const statusFrom = (localAddress: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    get(`${abused.url}/api/health`, { localAddress, agent: new Agent() }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    }).once('error', reject);
  });

const openOf = (sockets: readonly Socket[]) => sockets.filter((socket) => !socket.closed).length;

test('an address has so many connections, and its idle ones make room for new ones', async () => {
  const [working] = (await open('127.0.0.2', 1)) as [Socket];
  working.write('POST /api/portal/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
  working.write('Content-Length: 2\r\n\r\n{');
  await statusFrom('127.0.0.9');
  const idle = await open('127.0.0.2', 200);
  await closed(idle, idle.length - PER_ADDRESS + 1);
  assert.equal(await statusFrom('127.0.0.2'), 200, 'the address is not shut out by its own idle connections');
  const answer = once(working, 'data');
  working.write('}');
  assert.match(String(await answer), /^HTTP\/1.1 400/, 'a request under way keeps its connection');
  for (const socket of [working, ...idle]) socket.destroy();
});

test('when all addresses together have too many, those idle longest make room', async () => {
  const idle = [
    ...(await open('127.0.0.3', PER_ADDRESS)),
    ...(await open('127.0.0.4', PER_ADDRESS)),
    ...(await open('127.0.0.5', PER_ADDRESS)),
  ];
  await closed(idle, idle.length - MOST);
  assert.equal(await statusFrom('127.0.0.6'), 200);
  for (const socket of idle) socket.destroy();
});

test('connections that all have a request under way make no room', async () => {
  const { result } = await abused.during(async () => {
    const working = await open('127.0.0.7', PER_ADDRESS);
    for (const socket of working) {
      socket.write('POST /api/portal/sign-in HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
      socket.write('Content-Length: 2\r\n\r\n{');
    }
    await statusFrom('127.0.0.9');
    const more = await open('127.0.0.7', 5);
    await closed(more, more.length);
    const left = openOf(working);
    for (const socket of working) socket.destroy();
    return left;
  });
  assert.equal(result, PER_ADDRESS);
});
