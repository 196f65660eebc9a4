import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { listening } from '@symbolon/testkit/servers/listening';
import { type FakeAnswer, refusal } from '../testing/fake-platform.ts';
import { fakeService } from '../testing/fake-service.ts';
import { RateLimitError, TransportError, UnavailableError } from './errors.ts';
import { platformFetch } from './node-fetch.ts';

const WHOAMI = 'GET /api/company-data/whoami';
const body = { company_user_id: 'c', service_id: 's' };

function once(first: FakeAnswer, then: FakeAnswer = { body }) {
  let asked = 0;
  return () => (asked++ === 0 ? first : then);
}

test('the client waits for the time in Retry-After after a 429 and repeats the call', async () => {
  const limited = refusal(429, 'rate_limit.exceeded', { headers: { 'retry-after': '7' } });
  await using service = await fakeService({}, { [WHOAMI]: once(limited) });
  assert.deepEqual(await service.client.whoami(), body);
  assert.deepEqual(service.clock.slept, [7000]);
});

test('the client stops repeating a refused call after five waits', async () => {
  await using service = await fakeService({}, { [WHOAMI]: () => refusal(429, 'rate_limit.exceeded') });
  await assert.rejects(service.client.whoami(), RateLimitError);
  assert.equal(service.clock.slept.length, 5);
});

test('the client stops repeating a refused call after its time budget, and the error has the time of Retry-After', async () => {
  const paused = refusal(503, 'platform.out_of_order', { headers: { 'retry-after': '300' } });
  await using service = await fakeService({}, { [WHOAMI]: () => paused });
  await assert.rejects(service.client.whoami(), (error) => {
    assert.ok(error instanceof UnavailableError);
    return error.retryAfterMs === 300_000;
  });
  assert.deepEqual(service.clock.slept, [300_000, 300_000]);
});

test('the client does not repeat a call that reached the cap of pending two-factor challenges', async () => {
  const details = { reason: 'quiet_time', retry_after: 60 };
  await using service = await fakeService(
    {},
    { [WHOAMI]: () => refusal(429, 'twofa.pending_cap', { details }) },
  );
  await assert.rejects(service.client.whoami(), (error) => {
    assert.ok(error instanceof RateLimitError);
    assert.deepEqual([error.details.reason, error.retryAfterMs], ['quiet_time', 60_000]);
    return true;
  });
  assert.deepEqual(service.clock.slept, []);
});

test('the client does not repeat a call whose proof of presence was used up', async () => {
  const body = { error_key: 'platform.out_of_order', error: '…', proof_used: true };
  await using service = await fakeService({}, { [WHOAMI]: () => ({ status: 503, body }) });
  await assert.rejects(service.client.whoami(), UnavailableError);
  assert.deepEqual(service.clock.slept, []);
});

test('the client repeats a drain while saving is paused', async () => {
  const paused = refusal(503, 'db.writes_paused', { headers: { 'retry-after': '30' } });
  await using service = await fakeService(
    {},
    {
      'GET /api/company-data/changes': once(paused, { body: { changes: [] } }),
    },
  );
  assert.deepEqual(await service.client.changes(), []);
  assert.deepEqual(service.clock.slept, [30_000]);
});

test('the client repeats a call that a stopping process has refused', async () => {
  const stopping = refusal(503, 'platform.stopping', { headers: { 'retry-after': '2' } });
  await using service = await fakeService({}, { [WHOAMI]: once(stopping) });
  assert.deepEqual(await service.client.whoami(), body);
  assert.deepEqual(service.clock.slept, [2000]);
});

test('an abort signal ends the wait before a repeated call', async () => {
  const stop = new AbortController();
  const sleep = async () => stop.abort(new Error('enough'));
  await using service = await fakeService(
    {},
    { [WHOAMI]: () => refusal(429, 'rate_limit.exceeded') },
    { runtime: { sleep } },
  );
  await assert.rejects(service.client.whoami(stop.signal), /enough/);
});

test('the client repeats a GET after a broken connection, but never a drain or a DELETE', async () => {
  await using service = await fakeService(
    {},
    {
      [WHOAMI]: once('reset'),
      'GET /api/company-data/changes': () => 'reset',
      'DELETE /api/company-data/connections/c1': () => 'reset',
    },
  );
  assert.deepEqual(await service.client.whoami(), body);
  await assert.rejects(service.client.changes(), TransportError);
  assert.equal(service.platform.count('/api/company-data/changes'), 1);
  await assert.rejects(service.client.deleteConnection('c1'), TransportError);
  assert.equal(service.platform.count('/api/company-data/connections/c1'), 1);
});

test('a drain with `after` takes nothing away, so a broken connection is tried again', async () => {
  await using service = await fakeService(
    {},
    { 'GET /api/company-data/changes': once('reset', { body: { changes: [] } }) },
  );
  assert.deepEqual(await service.client.changes({ after: '' }), []);
  assert.equal(service.platform.count('/api/company-data/changes'), 2);
});

test('a response that breaks off is an error', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"changes":', () => response.destroy());
  });
  const { port } = await listening(server);
  try {
    const { signal } = new AbortController();
    const init = { method: 'GET', headers: {}, signal, redirect: 'error' } as const;
    await assert.rejects(platformFetch(`http://127.0.0.1:${port}/`, init), { code: 'ECONNRESET' });
  } finally {
    server.close();
  }
});

test('the client follows no redirect, so its token goes to no other address', async () => {
  await using service = await fakeService(
    {},
    {
      [WHOAMI]: () => ({ status: 302, headers: { location: '/elsewhere' } }),
    },
  );
  await assert.rejects(service.client.whoami(), TransportError);
  assert.equal(service.platform.count('/elsewhere'), 0);
});

test('a response that is not JSON is a TransportError', async () => {
  await using service = await fakeService({}, { [WHOAMI]: () => ({ raw: '<html>' }) });
  await assert.rejects(service.client.whoami(), (error) => {
    assert.ok(error instanceof TransportError);
    return error.errorKey === 'sdk.unexpected_answer';
  });
});
