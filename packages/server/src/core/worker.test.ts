import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { FakeTimers } from '../testing/fake-timers.ts';
import { Worker } from './worker.ts';

const log = pino({ level: 'silent' });

test('a worker works at once and after each pause', async () => {
  const timers = new FakeTimers();
  let runs = 0;
  const worker = new Worker({ name: 'w', pauseMs: 1000, timers, log, work: async () => void runs++ });
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

test('a worker that fails tries again next time', async () => {
  const timers = new FakeTimers();
  let runs = 0;
  const worker = new Worker({
    name: 'w',
    pauseMs: 1000,
    timers,
    log,
    async work() {
      runs++;
      if (runs === 1) throw new Error('no database');
    },
  });
  worker.start();
  await setImmediate();
  timers.advance(1000);
  assert.equal(runs, 2);
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
