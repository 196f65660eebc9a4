import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { Turns } from './turns.ts';

/** Work that ends when it is told to. */
function held() {
  const ends: (() => void)[] = [];
  const log: string[] = [];
  const work = (name: string) => async () => {
    log.push(name);
    await new Promise<void>((resolve) => ends.push(resolve));
    return name;
  };
  return { ends, log, work };
}

test('a few work, a few wait in line, no more are taken', async () => {
  const turns = new Turns({ atOnce: 2, waiting: 2 });
  const { ends, log, work } = held();
  const taken = ['a', 'b', 'c', 'd'].map((name) => turns.take(work(name)));
  assert.equal(turns.take(work('e')), undefined);
  await setImmediate();
  assert.deepEqual(log, ['a', 'b']);
  ends[1]?.();
  assert.equal(await taken[1], 'b');
  await setImmediate();
  assert.deepEqual(log, ['a', 'b', 'c']);
  const late = turns.take(work('f'));
  assert.notEqual(late, undefined);
  for (let turn = 0; turn < 4; turn++) {
    for (const end of ends) end();
    await setImmediate();
  }
  assert.deepEqual(await Promise.all([...taken, late]), ['a', 'b', 'c', 'd', 'f']);
  assert.deepEqual(log, ['a', 'b', 'c', 'd', 'f']);
});

test('work that fails gives its turn back', async () => {
  const turns = new Turns({ atOnce: 1, waiting: 0 });
  const failing = async () => {
    throw new Error('no');
  };
  for (let time = 0; time < 3; time++) await assert.rejects(async () => turns.take(failing), /no/);
  assert.equal(await turns.take(async () => 'yes'), 'yes');
});
