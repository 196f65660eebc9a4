import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { RawClient } from '@symbolon/testkit/platform/raw-client';
import { listening } from '@symbolon/testkit/servers/listening';
import { followHandover } from './handed-over.ts';

test('an answer to a caller that has hung up before it is written is not handed over', async (t) => {
  const told: string[] = [];
  const followed = Promise.withResolvers<void>();
  const server = createServer(async (request, response) => {
    await new Promise((resolve) => request.socket.once('close', resolve));
    await followHandover(response, { done: () => told.push('done'), failed: () => told.push('failed') });
    response.end('late');
    followed.resolve();
  });
  const { port } = await listening(server);
  t.after(() => server.close());
  const client = await RawClient.open(`http://127.0.0.1:${port}`);
  client.send('/', '');
  await once(server, 'request');
  client.socket.resetAndDestroy();
  await followed.promise;
  assert.deepEqual(told, ['failed']);
});

test('an answer to a call that was answered otherwise meanwhile is not handed over', async (t) => {
  const told: string[] = [];
  const followed = Promise.withResolvers<void>();
  const server = createServer(async (_request, response) => {
    response.writeHead(503).end();
    await followHandover(response, { done: () => told.push('done'), failed: () => told.push('failed') });
    followed.resolve();
  });
  const { url } = await listening(server);
  t.after(() => server.close());
  const client = await RawClient.open(url);
  t.after(() => client.socket.destroy());
  client.send('/', '');
  await followed.promise;
  assert.deepEqual(told, ['failed']);
});
