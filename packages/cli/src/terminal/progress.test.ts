import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timeLeft } from './progress.ts';

test('a bar says how long it still takes, as soon as that is known', () => {
  // What the bar counts before anything has moved.
  for (const unknown of ['0', 'INF', 'NULL']) assert.equal(timeLeft(unknown), '');
  assert.equal(timeLeft(7), '7 s left');
  assert.equal(timeLeft(61), '2 min left');
});
