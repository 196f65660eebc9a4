import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeTimers } from '@symbolon/testkit/platform/fake-timers';
import { Deadline } from './deadline.ts';
import { FairTurns } from './fair-turns.ts';
import { Turns } from './turns.ts';

test('work is done a few at a time, in its order, and refused when too much waits', async () => {
  const turns = new Turns({ atOnce: 2, waitingMost: 3 });
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (index: number) =>
    turns.run(() => {
      begun.push(index);
      return new Promise<number>((resolve) => ends.push(() => resolve(index)));
    });
  const five = [0, 1, 2, 3, 4].map(work);
  await assert.rejects(work(5), { key: 'platform.busy', headers: { 'retry-after': '5' } });
  assert.deepEqual(begun, [0, 1]);
  for (let index = 0; index < 5; index++) {
    ends[index]?.();
    assert.equal(await five[index], index);
    await new Promise(setImmediate);
  }
  assert.deepEqual(begun, [0, 1, 2, 3, 4]);
  const failed = turns.run(() => Promise.reject(new Error('no')));
  await assert.rejects(failed, { message: 'no' });
  assert.equal(await turns.run(async () => 6), 6);
});

test('work whose request was refused meanwhile is not begun when its turn comes', async () => {
  const fair = new FairTurns({ perParty: 1, inAll: 1, waitingMost: 3 });
  const turns = new Turns({ atOnce: 1, waitingMost: 3 });
  for (const run of [
    <T>(work: () => Promise<T>) => turns.run(work),
    <T>(work: () => Promise<T>) => fair.run('somebody', work),
  ]) {
    const timers = new FakeTimers();
    const end = Promise.withResolvers<void>();
    const first = run(() => end.promise);
    let isBegun = false;
    const begin = async () => {
      isBegun = true;
    };
    const late = new Deadline(timers, 1_000).bound(() => run(begin));
    timers.advance(1_000);
    await assert.rejects(late, { key: 'platform.busy' });
    end.resolve();
    await first;
    // In its turn after both.
    await run(async () => {});
    assert.equal(isBegun, false);
  }
});

test('who had more time waits for those who had less, however many pieces of work that was', async () => {
  let now = 0;
  const fair = new FairTurns({ perParty: 1, inAll: 1, waitingMost: 9 }, () => now);
  const done: string[] = [];
  const work = (party: string, ms: number) =>
    fair.run(party, async () => {
      done.push(party);
      now += ms;
    });
  await Promise.all([
    ...Array.from({ length: 3 }, () => work('long', 100)),
    ...Array.from({ length: 4 }, () => work('short', 30)),
  ]);
  assert.deepEqual(done, ['long', 'short', 'short', 'short', 'short', 'long', 'long']);
  // Coming again forgets nothing while others are in line; a line that has ended does.
  done.length = 0;
  const first = work('long', 100).then(() => work('long', 100));
  await Promise.all([first, work('short', 30), work('short', 30)]);
  assert.deepEqual(done, ['long', 'short', 'short', 'long']);
});
