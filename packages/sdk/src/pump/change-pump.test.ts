import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { ChangeEvent } from '@symbolon/protocol';
import { proves } from '@symbolon/testkit/evidence/evidence';
import { temporaryFolder } from '@symbolon/testkit/folder';
import type { Change } from '../data/change.ts';
import { ConfigurationError, TransportError, UnavailableError } from '../http/errors.ts';
import { fakeClock } from '../testing/fake-clock.ts';
import { fakeService, sealed } from '../testing/fake-service.ts';
import { BufferLockedError } from './change-buffer.ts';
import { ChangePump, type ChangePumpOptions } from './change-pump.ts';

type Batch = ChangeEvent[] | Error;

function event(id: string, person = 'p1', more: object = {}): ChangeEvent {
  return {
    id,
    event: 'connection_created',
    person_user_id: person,
    share_code: null,
    customer_type: 'person',
    at: '2026-01-31T09:00:00.000Z',
    ...more,
  };
}

/** A feed that gives one batch after another, then nothing. */
function feedOf(...batches: Batch[]) {
  const asked: number[] = [];
  return {
    asked,
    changes: async ({ limit }: { limit: number }) => {
      asked.push(limit);
      const batch = batches.shift() ?? [];
      if (batch instanceof Error) throw batch;
      return batch;
    },
    openChange: async (raw: ChangeEvent): Promise<Change> => ({
      id: raw.id,
      event: raw.event,
      personId: raw.person_user_id,
      shareCode: null,
      customerType: 'person',
      at: raw.at,
      raw,
    }),
  };
}

function bufferFile(context: TestContext): string {
  const { path: folder } = temporaryFolder(context);
  return join(folder, 'changes.db');
}

/** Runs a pump until `done`, with a clock that passes by itself, and gives what the handler saw. */
async function run(
  options: Pick<ChangePumpOptions, 'client' | 'file'> & Partial<ChangePumpOptions>,
  done: (pump: ChangePump, seen: string[]) => boolean,
): Promise<{ pump: ChangePump; seen: string[] }> {
  const seen: string[] = [];
  const clock = fakeClock();
  const pump = new ChangePump({
    ...options,
    handle: async (change, context) => {
      seen.push(change.id);
      await options.handle?.(change, context);
    },
    runtime: {
      ...clock.runtime,
      // Sleeping gives way, so that the loop that ends the test gets its turn.
      sleep: async (ms, signal) => {
        await new Promise(setImmediate);
        await clock.runtime.sleep?.(ms, signal);
      },
    },
  });
  pump.start();
  while (!done(pump, seen)) await new Promise(setImmediate);
  await pump.stop();
  return { pump, seen };
}

test('changes are handed out in order and taken off the disk', async (t) => {
  const client = feedOf([event('e1'), event('e2', 'p2')], [event('e3')]);
  const { pump, seen } = await run({ client, file: bufferFile(t) }, (_, { length }) => length === 3);
  assert.deepEqual(seen, ['e1', 'e2', 'e3']);
  const { buffered, drained, acknowledged, running } = pump.stats();
  assert.deepEqual([buffered, drained, acknowledged, running], [0, 3, 3, false]);
});

test('a redelivered id is dropped, while it waits and after it was acknowledged', async (t) => {
  const file = bufferFile(t);
  const first = feedOf([event('e1'), event('e1'), event('e2')], [event('e1'), event('e3')]);
  const { pump, seen } = await run({ client: first, file }, (_, { length }) => length === 3);
  assert.deepEqual(seen, ['e1', 'e2', 'e3']);
  assert.equal(pump.stats().duplicates, 2);
  const later = await run(
    { client: feedOf([event('e2'), event('e4')]), file },
    (_, { length }) => length === 1,
  );
  assert.deepEqual(later.seen, ['e4'], 'remembered by the next process');
});

test('each drain names the last change on disk, also in the next process, and for each channel apart', async (t) => {
  const file = bufferFile(t);
  const asked: { after: string; webhookId?: string }[] = [];
  const feed = (...batches: Batch[]) => {
    const client = feedOf(...batches);
    const changes = async ({
      after,
      webhookId,
      limit,
    }: Parameters<ChangePumpOptions['client']['changes']>[0]) => {
      asked.push({ after, ...(webhookId !== undefined && { webhookId }) });
      return client.changes({ limit });
    };
    return { ...client, changes };
  };
  await run({ client: feed([event('e1'), event('e2')], []), file }, () => asked.length === 3);
  assert.deepEqual(asked.splice(0), [{ after: '' }, { after: 'e2' }, { after: 'e2' }]);
  await run({ client: feed([event('w1')]), file, webhookId: 'w' }, () => asked.length === 2);
  assert.deepEqual(asked.splice(0), [
    { after: '', webhookId: 'w' },
    { after: 'w1', webhookId: 'w' },
  ]);
  await run({ client: feed(), file }, () => asked.length === 1);
  assert.deepEqual(asked, [{ after: 'e2' }]);
});

test('what the disk refuses is not confirmed, and is drained again', async (t) => {
  const errors: unknown[] = [];
  const asked: string[] = [];
  const client = feedOf();
  // An event without an id is one that the buffer cannot keep.
  const broken = { ...event('e1'), id: undefined as unknown as string };
  const changes = async ({ after }: { after: string }) => {
    asked.push(after);
    return asked.length === 1 ? [broken] : asked.length === 2 ? [event('e1')] : [];
  };
  const options = {
    client: { ...client, changes },
    file: bufferFile(t),
    onError: (error: unknown) => errors.push(error),
  };
  const { seen } = await run(options, () => asked.length === 3);
  assert.deepEqual([asked, errors.length, seen], [['', '', 'e1'], 1, ['e1']]);
});

test('acknowledged ids are forgotten after eight days', async (t) => {
  const file = bufferFile(t);
  await run({ client: feedOf([event('e1')]), file }, (_, { length }) => length === 1);
  const clock = fakeClock(Date.parse('2026-02-09T00:00:00.000Z'));
  const seen: string[] = [];
  const pump = new ChangePump({
    client: feedOf([event('e1')]),
    file,
    handle: ({ id }) => void seen.push(id),
    runtime: {
      ...clock.runtime,
      sleep: (_, signal) => new Promise((resolve) => signal?.addEventListener('abort', () => resolve())),
    },
  });
  pump.start();
  while (seen.length === 0) await new Promise(setImmediate);
  await pump.stop();
  assert.deepEqual(seen, ['e1']);
});

test('while one person waits for a retry, the others go on', async (t) => {
  const client = feedOf([event('a1', 'a'), event('a2', 'a'), event('b1', 'b'), event('b2', 'b')]);
  let failures = 2;
  const handle = ({ id }: Change) => {
    if (id === 'a1' && failures-- > 0) throw new Error('not yet');
  };
  const { seen } = await run(
    { client, file: bufferFile(t), handle },
    (pump) => pump.stats().acknowledged === 4,
  );
  assert.deepEqual(seen.slice(0, 3), ['a1', 'b1', 'b2']);
  assert.deepEqual(seen.slice(3), ['a1', 'a1', 'a2']);
});

test('after its retries a change is a dead letter, and the rest of its person goes on', async (t) => {
  const file = bufferFile(t);
  let broken = true;
  const attempts: number[] = [];
  const handle: ChangePumpOptions['handle'] = ({ id }, { attempt }) => {
    if (id !== 'e1' || !broken) return;
    attempts.push(attempt);
    throw new TypeError('disk on fire');
  };
  const client = feedOf([event('e1'), event('e2')]);
  const { pump, seen } = await run({ client, file, handle }, (p) => p.stats().acknowledged === 1);
  assert.deepEqual(seen, ['e1', 'e1', 'e1', 'e1', 'e2']);
  assert.deepEqual(attempts, [1, 2, 3, 4]);
  const [letter] = pump.deadLetters();
  assert.deepEqual([letter?.id, letter?.attempts, letter?.error], ['e1', 4, 'TypeError: disk on fire']);
  assert.equal(pump.stats().deadLettered, 1);

  broken = false;
  assert.equal(pump.redrive('unknown'), 0);
  assert.equal(pump.redrive('all'), 1);
  const again = await run(
    { client: feedOf([event('e1')]), file, handle },
    (p) => p.stats().acknowledged === 1,
  );
  assert.deepEqual(again.seen, ['e1']);
  assert.equal(again.pump.stats().deadLettered, 0);
});

test('neither the buffer nor a dead letter holds what was opened', async (t) => {
  const file = bufferFile(t);
  const secret = 'anna@very-secret.example';
  const updated = event('e1', 'p1', { event: 'field_updated', slug: 'mail', ...sealed(secret) });
  await using service = await fakeService(
    { mail: 'email' },
    {
      'GET /api/company-data/changes': () => ({ body: { changes: [updated] } }),
    },
  );
  const opened: unknown[] = [];
  const handle = ({ value }: Change) => {
    opened.push(value?.value);
    throw new Error(`cannot write ${value?.value}`);
  };
  const { pump } = await run(
    { client: service.client, file, handle, retries: 0 },
    (p) => p.stats().deadLettered === 1,
  );
  assert.deepEqual(opened, [secret]);
  assert.equal(pump.deadLetters()[0]?.error, 'Error: cannot write [removed]');
  assert.ok(!readFileSync(file).includes(secret));
});

test('stop finishes the change in hand; the rest waits for the next start', async (t) => {
  const file = bufferFile(t);
  const gate = Promise.withResolvers<void>();
  const seen: string[] = [];
  const pump = new ChangePump({
    client: feedOf([event('e1'), event('e2')]),
    file,
    handle: async ({ id }) => {
      seen.push(id);
      await gate.promise;
    },
  });
  pump.start();
  while (seen.length === 0) await new Promise(setImmediate);
  const stopped = pump.stop();
  assert.equal(pump.stats().inHand, 1);
  gate.resolve();
  await stopped;
  assert.deepEqual(seen, ['e1']);
  assert.deepEqual([pump.stats().buffered, pump.stats().inHand], [1, 0]);
  const next = await run({ client: feedOf(), file }, (_, { length }) => length === 1);
  assert.deepEqual(next.seen, ['e2']);
});

test('a drain under way is kept when the pump stops', async (t) => {
  const file = bufferFile(t);
  const answer = Promise.withResolvers<ChangeEvent[]>();
  const client = { ...feedOf(), changes: () => answer.promise };
  const pump = new ChangePump({ client, file, handle: () => undefined });
  pump.start();
  const stopped = pump.stop();
  answer.resolve([event('e1')]);
  await stopped;
  assert.equal(pump.stats().buffered, 1);
});

test('different people are handled at the same time, one person never', async (t) => {
  const batch = ['a1', 'a2', 'b1', 'b2', 'c1'].map((id) => event(id, id[0]));
  const inHand = new Set<string>();
  let most = 0;
  const handle = async ({ personId }: Change) => {
    assert.ok(!inHand.has(personId), 'two changes of one person in hand');
    inHand.add(personId);
    most = Math.max(most, inHand.size);
    await new Promise(setImmediate);
    inHand.delete(personId);
  };
  const { seen } = await run(
    { client: feedOf(batch), file: bufferFile(t), handle, concurrency: 3 },
    (pump) => pump.stats().acknowledged === 5,
  );
  assert.equal(most, 3);
  assert.ok(seen.indexOf('a1') < seen.indexOf('a2') && seen.indexOf('b1') < seen.indexOf('b2'));
});

test('the feed failing is got over, the change being opened in vain is no failure of its', async (t) => {
  const reset = new TransportError({ errorKey: 'sdk.transport', message: 'reset' });
  const paused = new UnavailableError({ errorKey: 'db.writes_paused', message: 'paused', status: 503 });
  const feed = feedOf(reset, paused, [event('e1')]);
  let unavailable = 5;
  const client = {
    ...feed,
    openChange: async (raw: ChangeEvent) => {
      if (unavailable-- > 0) throw paused;
      return feed.openChange(raw);
    },
  };
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const { pump, seen } = await run(
    { client, file: bufferFile(t), onError, retries: 0 },
    (_, { length }) => length === 1,
  );
  assert.deepEqual(seen, ['e1']);
  assert.equal(pump.stats().failures, 0);
  assert.deepEqual(errors.slice(0, 2), [reset, paused]);
  assert.equal(errors.length, 7);
});

test('one pump at a time may have a buffer file', async (t) => {
  const file = bufferFile(t);
  const first = new ChangePump({ client: feedOf(), file, handle: () => undefined });
  const second = new ChangePump({ client: feedOf(), file, handle: () => undefined });
  first.start();
  assert.throws(() => second.start(), BufferLockedError);
  await first.stop();
  second.start();
  await second.stop();
});

test('a killed process leaves the buffer free and complete', async (t) => {
  const file = bufferFile(t);
  const script = `
    const { ChangeBuffer } = await import(${JSON.stringify(new URL('./change-buffer.ts', import.meta.url).href)});
    const buffer = new ChangeBuffer(${JSON.stringify(file)});
    buffer.add([${JSON.stringify(event('e1'))}], 1);
    process.kill(process.pid, 'SIGKILL');`;
  const { signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
  assert.equal(signal, 'SIGKILL');
  const { seen } = await run({ client: feedOf(), file }, (_, { length }) => length === 1);
  assert.deepEqual(seen, ['e1']);
});

test('an aborted signal stops the pump', async (t) => {
  const stop = new AbortController();
  const pump = new ChangePump({
    client: feedOf(),
    file: bufferFile(t),
    handle: () => undefined,
    signal: stop.signal,
  });
  pump.start();
  stop.abort();
  while (pump.stats().running) await new Promise(setImmediate);
});

test('the batch size is 100 unless set, and at most 500', async (t) => {
  const client = feedOf();
  await run({ client, file: bufferFile(t) }, () => client.asked.length > 0);
  assert.equal(client.asked[0], 100);
  const options = { client, file: ':memory:', handle: () => undefined };
  proves('limit:pump-batch');
  for (const batchSize of [0, 501, 1.5]) {
    assert.throws(() => new ChangePump({ ...options, batchSize }), ConfigurationError);
  }
});
