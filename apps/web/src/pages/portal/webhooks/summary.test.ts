import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebhookAttempt } from '@symbolon/protocol';
import { summaryOf } from './summary.ts';

const attempt = (duration_ms: number, more: Partial<WebhookAttempt> = {}) =>
  ({ duration_ms, delivered: true, test: false, ...more }) as WebhookAttempt;

test('deliveries are counted without examples, and timed without failures', () => {
  assert.deepEqual(
    summaryOf([
      attempt(30),
      attempt(10),
      attempt(20),
      attempt(9000, { delivered: false }),
      attempt(1, { test: true }),
    ]),
    { count: 4, answered: 3, median: 20, slow: 30 },
  );
});

test('99 of 100 leave the slowest out', () => {
  const attempts = Array.from({ length: 100 }, (_, index) => attempt(index + 1));
  assert.deepEqual(summaryOf(attempts), { count: 100, answered: 100, median: 50, slow: 99 });
});

test('before anything was delivered there is no time', () => {
  assert.deepEqual(summaryOf([]), { count: 0, answered: 0, median: undefined, slow: undefined });
});
