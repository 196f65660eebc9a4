import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { pino } from 'pino';
import { SignalledWorker } from './signalled-worker.ts';

/** A worker whose runs end when the test says so. */
function workerWith(timers = new FakeTimers()) {
  const heard = new Map<string, () => void>();
  const ends: ((hasMore: boolean) => void)[] = [];
  class TestWorker extends SignalledWorker {
    override work() {
      return new Promise<boolean>((resolve) => ends.push(resolve));
    }
  }
  const worker = new TestWorker({
    name: 'w',
    pauseMs: 1000,
    channel: 'news',
    timers,
    log: pino({ level: 'silent' }),
    availability: { explains: () => false },
    database: {
      async subscribe(channel, handler) {
        heard.set(channel, handler);
        return () => heard.delete(channel);
      },
    },
  });
  const signal = () => heard.get('news')?.();
  return { worker, timers, ends, signal, heard };
}

test('signals during a run are answered by one more run, never by two at a time', async () => {
  const { worker, ends, signal } = workerWith();
  await worker.start();
  assert.equal(ends.length, 1, 'it looks at the start');
  for (let times = 0; times < 3; times++) signal();
  assert.equal(ends.length, 1);
  ends[0]?.(false);
  await setImmediate();
  assert.equal(ends.length, 2);
  ends[1]?.(false);
  await setImmediate();
  assert.equal(ends.length, 2, 'nothing was asked for during the second');
  signal();
  assert.equal(ends.length, 3);
  ends[2]?.(true);
  await setImmediate();
  assert.equal(ends.length, 4, 'the third said that there is more');
  ends[3]?.(false);
  await worker.stop();
});

test('a lost signal is made up for after the pause; a worker that stops waits for its run and begins none', async () => {
  const { worker, timers, ends, signal, heard } = workerWith();
  await worker.start();
  ends[0]?.(false);
  await setImmediate();
  timers.advance(1000);
  assert.equal(ends.length, 2);
  signal();
  let isStopped = false;
  const stopped = worker.stop().then(() => {
    isStopped = true;
  });
  await setImmediate();
  assert.deepEqual([isStopped, worker.isStopping, heard.size], [false, true, 0]);
  ends[1]?.(true);
  await stopped;
  assert.deepEqual([ends.length, timers.size], [2, 0]);
});
