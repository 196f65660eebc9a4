import assert from 'node:assert/strict';
import { test } from 'node:test';
import { untilSignal } from './until-signal.ts';

/** Without a listener a signal ends the process. */
const listeners = () => process.listenerCount('SIGINT') + process.listenerCount('SIGTERM');

test('a signal that comes a moment after the first is the same one, and a later one ends the process', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const before = listeners();
  const { signalled, forget } = untilSignal();
  process.emit('SIGINT', 'SIGINT');
  process.emit('SIGINT', 'SIGINT');
  assert.equal(await signalled, 'SIGINT');
  // What it did is over; npm passes the signal on late.
  forget();
  t.mock.timers.tick(999);
  assert.equal(listeners(), before + 2);
  t.mock.timers.tick(1);
  assert.equal(listeners(), before);
});

test('who waits no more for a signal leaves it to the process at once', () => {
  const before = listeners();
  const { forget } = untilSignal();
  assert.equal(listeners(), before + 2);
  forget();
  assert.equal(listeners(), before);
});
