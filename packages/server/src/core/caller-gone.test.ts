import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { RawClient } from '@symbolon/testkit/platform/raw-client';
import { CallerGone, callerSignal, whileAnswering } from './caller-gone.ts';
import { FairTurns } from './fair-turns.ts';

test('work that waits for a caller who hangs up is dropped, and nobody else has to wait for it', async (t) => {
  const turns = new FairTurns({ perParty: 1, inAll: 1, waitingMost: 1 });
  const held = Promise.withResolvers<void>();
  const running = turns.run('company', () => held.promise);
  const dropped = Promise.withResolvers<unknown>();
  const waiting = Promise.withResolvers<void>();
  let isDone = false;
  const server = createServer((_request, response) => {
    whileAnswering(response, () => {
      const work = turns.run('company', async () => {
        isDone = true;
      });
      work.catch(dropped.resolve);
      waiting.resolve();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const client = await RawClient.open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  client.send('/', '');
  await waiting.promise;
  await assert.rejects(
    turns.run('company', async () => {}),
    { key: 'rate_limit.exceeded' },
  );
  client.socket.resetAndDestroy();
  assert.ok((await dropped.promise) instanceof CallerGone);
  const next = turns.run('company', async () => 'next');
  held.resolve();
  await running;
  assert.equal(await next, 'next');
  assert.equal(isDone, false);
});

test('a signal is there in a request alone, and an answer that was written aborts nothing', async (t) => {
  assert.equal(callerSignal(), undefined);
  const closed = Promise.withResolvers<boolean | undefined>();
  const server = createServer((_request, response) => {
    const signal = whileAnswering(response, callerSignal);
    response.once('close', () => closed.resolve(signal?.aborted));
    response.end('answer');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)).text();
  assert.equal(await closed.promise, false);
});
