import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { keptLog } from '@symbolon/testkit/platform/kept-log';
import { pino } from 'pino';
import { Worker } from './worker.ts';

const log = pino({ level: 'silent' });
const availability = { explains: () => false };

test('a worker works at once and after each pause', async () => {
  const timers = new FakeTimers();
  let runs = 0;
  const worker = new Worker({
    name: 'w',
    pauseMs: 1000,
    timers,
    log,
    availability,
    work: async () => void runs++,
  });
  worker.start();
  await setImmediate();
  assert.equal(runs, 1);
  timers.advance(999);
  assert.equal(runs, 1);
  timers.advance(1);
  assert.equal(runs, 2);
  await worker.stop();
  assert.equal(timers.size, 0);
});

test('a worker that fails is tried again; that is logged when it begins and when it ends', async () => {
  const timers = new FakeTimers();
  const { log, lines } = keptLog();
  const outcomes = ['mistake', 'mistake', 'outage', 'fine', 'fine', 'outage', 'fine', 'mistake', 'fine'];
  let runs = 0;
  const worker = new Worker({
    name: 'w',
    pauseMs: 1000,
    timers,
    log,
    availability: { explains: (error) => (error as Error).message === 'outage' },
    async work() {
      const outcome = outcomes[runs++];
      if (outcome !== 'fine') throw new Error(outcome);
    },
  });
  worker.start();
  for (let run = 1; run <= outcomes.length; run++) {
    await setImmediate();
    assert.equal(runs, run);
    if (run < outcomes.length) timers.advance(1000);
  }
  assert.deepEqual(
    lines.map(({ level, msg, worker: name }) => [level, msg, name]),
    [
      [50, 'worker failed; it is tried again until it works', 'w'],
      [30, 'worker works again', 'w'],
      [50, 'worker failed; it is tried again until it works', 'w'],
      [30, 'worker works again', 'w'],
    ],
  );
  await worker.stop();
});

test('stopping a worker aborts its signal, waits for the current run and starts no other', async () => {
  const timers = new FakeTimers();
  const steps: string[] = [];
  let go = () => {};
  const worker = new Worker({
    name: 'w',
    pauseMs: 1000,
    timers,
    log,
    availability,
    async work(stopping) {
      steps.push('begun');
      await new Promise<void>((resolve) => {
        go = resolve;
      });
      steps.push(stopping.aborted ? 'told' : 'not told');
    },
  });
  worker.start();
  worker.start();
  const stopped = worker.stop().then(() => steps.push('stopped'));
  go();
  await stopped;
  assert.deepEqual(steps, ['begun', 'told', 'stopped']);
  assert.equal(timers.size, 0);
  worker.start();
  assert.equal(steps.length, 3);
});
