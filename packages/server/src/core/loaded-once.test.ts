import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadedOnce } from './loaded-once.ts';

test('a module is loaded at the first use alone, and again when that failed', async () => {
  let loads = 0;
  const library = loadedOnce(async () => {
    loads++;
    if (loads === 1) throw new Error('not there yet');
    return { answer: 42 };
  });
  await assert.rejects(library(), /not there yet/);
  const [first, second] = await Promise.all([library(), library()]);
  assert.deepEqual([first.answer, second, loads], [42, first, 2]);
});
