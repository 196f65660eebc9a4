import assert from 'node:assert/strict';
import { test } from 'node:test';
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
