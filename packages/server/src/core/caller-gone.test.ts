import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { test } from 'node:test';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { RawClient } from '@symbolon/testkit/platform/raw-client';
import { listening } from '@symbolon/testkit/servers/listening';
import { CallerGone } from './caller-gone.ts';
import { callerSignal, Deadline } from './deadline.ts';
import { FairTurns } from './fair-turns.ts';

test('work that waits for a caller who hangs up is dropped and delays no other caller', async (t) => {
  const turns = new FairTurns({ perParty: 1, inAll: 1, waitingMost: 1 });
  const held = Promise.withResolvers<void>();
  const running = turns.run('company', () => held.promise);
  const dropped = Promise.withResolvers<unknown>();
  const waiting = Promise.withResolvers<void>();
  let isDone = false;
  const server = createServer((_request, response) => {
    new Deadline(new FakeTimers(), 1_000, response).bound(() => {
      const work = turns.run('company', async () => {
        isDone = true;
      });
      work.catch(dropped.resolve);
      waiting.resolve();
    });
  });
  const { url } = await listening(server);
  t.after(() => server.close());
  const client = await RawClient.open(url);
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

test('a caller who has gone before takes no place in the line', async () => {
  const turns = new FairTurns({ perParty: 1, inAll: 1, waitingMost: 1, waitingInAll: 1 });
  const held = Promise.withResolvers<void>();
  const running = turns.run('company', () => held.promise);
  const gone = { closed: true, writableFinished: false } as ServerResponse;
  for (let round = 0; round < 3; round++) {
    const left = new Deadline(new FakeTimers(), 1_000, gone).bound(() => turns.run('other', async () => {}));
    await assert.rejects(left, CallerGone);
  }
  const next = turns.run('other', async () => 'next');
  held.resolve();
  await running;
  assert.equal(await next, 'next');
});

test('a signal is there in a request alone, and an answer that was written aborts nothing', async (t) => {
  assert.equal(callerSignal(), undefined);
  const closed = Promise.withResolvers<boolean | undefined>();
  const server = createServer((_request, response) => {
    const signal = new Deadline(new FakeTimers(), 1_000, response).bound(callerSignal);
    response.once('close', () => closed.resolve(signal?.aborted));
    response.end('answer');
  });
  const { url } = await listening(server);
  t.after(() => server.close());
  await (await fetch(url)).text();
  assert.equal(await closed.promise, false);
});
