import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeService } from '../testing/fake-service.ts';

const POLL = 'GET /api/service-2fa/challenges/c-1';
const CREATE = 'POST /api/service-2fa/challenges';

test('a challenge is repeated with the same key, and waited for until it is answered', async () => {
  const keys = new Set<string>();
  let calls = 0;
  const statuses = ['pending', 'pending', 'approved'];
  await using service = await fakeService(
    {},
    {
      [CREATE]: (request) => {
        keys.add(request.json<{ idempotency_key: string }>().idempotency_key);
        calls++;
        if (calls === 1)
          return {
            status: 503,
            body: { error: 'x', error_key: 'twofa.unavailable' },
            headers: { 'retry-after': '0' },
          };
        return {
          status: 201,
          body: { challenge_id: 'c-1', status: 'pending', expires_at: 'later', matching_digits: '07' },
        };
      },
      [POLL]: () => ({ body: { status: statuses.shift(), expires_at: 'later' } }),
    },
  );
  const { twoFactor } = service.client;
  const asked = await twoFactor.challenge('K7QW2M', { context: 'Sign-in' });
  assert.deepEqual(asked, { id: 'c-1', expiresAt: 'later', matchingDigits: '07' });
  assert.deepEqual([calls, keys.size], [2, 1]);
  assert.equal((await twoFactor.waitForResult('c-1', { everyMs: 1 })).status, 'approved');
});

test('waiting ends with the budget, with the signal, and with an outcome that another poll has read', async () => {
  let answer: { status?: number; body: object } = { body: { status: 'pending', expires_at: 'later' } };
  await using service = await fakeService({}, { [POLL]: () => answer });
  const { twoFactor } = service.client;
  await assert.rejects(twoFactor.waitForResult('c-1', { everyMs: 1, budgetMs: 5 }), {
    errorKey: 'sdk.wait_over',
  });
  const stop = new AbortController();
  const waiting = twoFactor.waitForResult('c-1', { everyMs: 60_000, signal: stop.signal });
  stop.abort(new Error('closed'));
  await assert.rejects(waiting, /closed/);
  answer = { status: 410, body: { error: 'gone', error_key: 'twofa.result_consumed' } };
  await assert.rejects(twoFactor.waitForResult('c-1'), { errorKey: 'twofa.result_consumed' });
});

test('a platform that cannot tell the outcome for long is asked again until the budget is spent', async () => {
  const unavailable = { status: 503, body: { error: 'paused', error_key: 'twofa.unavailable' } };
  const answers: { status?: number; body: object }[] = [unavailable, unavailable];
  await using service = await fakeService(
    {},
    { [POLL]: () => answers.shift() ?? { body: { status: 'approved', completed_at: 'now' } } },
    { retry: { attempts: 0 } },
  );
  const { twoFactor } = service.client;
  assert.equal((await twoFactor.waitForResult('c-1', { everyMs: 1 })).status, 'approved');
  assert.equal(answers.length, 0);
});
