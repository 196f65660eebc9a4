import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { afterEach, beforeEach, test } from 'node:test';
import { temporaryFolder } from '../folder.ts';
import { RUN_FOLDER_VARIABLE, valueMadeOnce } from './made-once.ts';

let before: string | undefined;
let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  before = process.env[RUN_FOLDER_VARIABLE];
  folder = temporaryFolder();
  process.env[RUN_FOLDER_VARIABLE] = folder.path;
});
afterEach(() => {
  if (before === undefined) delete process.env[RUN_FOLDER_VARIABLE];
  else process.env[RUN_FOLDER_VARIABLE] = before;
  folder[Symbol.dispose]();
});

test('of several that need it at once, one makes it and the others wait', async () => {
  let made = 0;
  const make = async () => {
    await new Promise(setImmediate);
    return ++made;
  };
  const values = await Promise.all([1, 2, 3].map(() => valueMadeOnce('value', make)));
  assert.deepEqual(values, [1, 1, 1]);
});

test('one that fails leaves it to the next', async () => {
  const failing = valueMadeOnce('value', async () => {
    throw new Error('The disk is full.');
  });
  const next = valueMadeOnce('value', async () => 'made');
  await assert.rejects(failing, /The disk is full/);
  assert.equal(await next, 'made');
});

test('a maker that has died is not waited for', async () => {
  const neverThere = 2 ** 30;
  symlinkSync(String(neverThere), folder.file('value.maker'));
  assert.equal(await valueMadeOnce('value', async () => 'made'), 'made');
});

test('whoever makes it at the same time all the same has the one that was there first', async () => {
  const second = Promise.withResolvers<string>();
  const late = valueMadeOnce('value', () => second.promise);
  // As if it had died.
  rmSync(folder.file('value.maker'));
  assert.equal(await valueMadeOnce('value', async () => 'first'), 'first');
  second.resolve('second');
  assert.equal(await late, 'first');
  assert.equal(await valueMadeOnce('value', async () => 'third'), 'first');
});
