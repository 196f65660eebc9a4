import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deniedAgain, NOT_QUIET, quietFor } from './quiet-time.ts';

const HOUR_MS = 60 * 60_000;

test('denials count together within an hour of the one before', () => {
  const first = deniedAgain(NOT_QUIET, 0);
  assert.deepEqual(first, { denials: 1, denied_at: 0 });
  assert.equal(deniedAgain(first, HOUR_MS - 1).denials, 2);
  assert.equal(deniedAgain(first, HOUR_MS).denials, 1);
});

test('the quiet time doubles from 30 seconds to 10 minutes', () => {
  for (const [denials, seconds] of [
    [1, 30],
    [2, 60],
    [5, 480],
    [6, 600],
    [40, 600],
    [5000, 600],
  ] as const) {
    const denied = { denials, denied_at: 1_000 };
    assert.equal(quietFor(denied, 999 + seconds * 1_000), 1, `${denials}`);
    assert.equal(quietFor(denied, 1_000 + seconds * 1_000), 0, `${denials}`);
    assert.equal(quietFor(denied, 5_000), seconds * 1_000 - 4_000, `${denials}`);
  }
  assert.equal(quietFor(NOT_QUIET, 0), 0);
});
