import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '@symbolon/testkit/platform/eventually';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { systemTimers, timeLimit } from './timers.ts';

/** Holds the event loop, as a process that is stopped and goes on later. */
const hold = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test('a time limit that is reached in time expires', () => {
  const timers = new FakeTimers();
  let expired = 0;
  timeLimit(timers, 1_000, () => expired++);
  timers.advance(999);
  assert.equal(expired, 0);
  timers.advance(1);
  assert.equal(expired, 1);
});

test('a process that was paused does not take a time limit for reached before it has looked once more', async () => {
  const events: string[] = [];
  const cancel = timeLimit(systemTimers, 100, () => events.push('expired'));
  setTimeout(() => events.push('due as well'), 100);
  hold(300);
  await eventually('the timers are due', () => (events.length > 0 ? true : undefined));
  assert.deepEqual(events, ['due as well']);
  cancel();
});

test('what still does not come after the pause expires', async () => {
  let expired = false;
  timeLimit(systemTimers, 10, () => {
    expired = true;
  });
  hold(100);
  await eventually('the limit', () => expired || undefined);
});
