import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolder } from '../folder.ts';
import { RUN_FOLDER_VARIABLE, valueMadeOnce } from './made-once.ts';

test('whoever makes the same value at the same time has the one that was there first', async () => {
  using folder = temporaryFolder();
  const { [RUN_FOLDER_VARIABLE]: before } = process.env;
  process.env[RUN_FOLDER_VARIABLE] = folder.path;
  try {
    const second = Promise.withResolvers<string>();
    const late = valueMadeOnce('value', () => second.promise);
    assert.equal(await valueMadeOnce('value', async () => 'first'), 'first');
    second.resolve('second');
    assert.equal(await late, 'first');
    assert.equal(await valueMadeOnce('value', async () => 'third'), 'first');
  } finally {
    if (before === undefined) delete process.env[RUN_FOLDER_VARIABLE];
    else process.env[RUN_FOLDER_VARIABLE] = before;
  }
});
