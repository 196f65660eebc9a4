import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions, SHARD_VARIABLE } from './options.ts';

const read = (...given: string[]) => readOptions(given, {});

test('parts of paths, sizes and flags of the runner are distinguished', () => {
  const flags = ['--test-name-pattern', 'a name', '--test-only'];
  const options = read('--quick', 'domains/flows', ...flags, './test/size');
  assert.deepEqual(options, {
    size: 'quick',
    parts: ['domains/flows', 'test/size'],
    changed: undefined,
    shard: undefined,
    engine: undefined,
    headed: false,
    flags,
    isSelecting: true,
  });
  assert.equal(read().size, 'usual');
  assert.deepEqual(read('--changed').changed, { since: undefined });
  assert.deepEqual(read('--changed=HEAD~2').changed, { since: 'HEAD~2' });
});

test('an option that does not exist is refused, and flags of Node go on to it', () => {
  for (const wrong of ['--quik', '--al', '-q', '--help'])
    assert.throws(() => read(wrong), new RegExp(`There is no option ${wrong}\\.`));
  const flags = ['--import=./x.ts', '--test-timeout=5', '--inspect-brk'];
  assert.deepEqual(read(...flags).flags, flags);
});

test('a shard comes by option or by environment', () => {
  assert.deepEqual(read('--shard=2/4').shard, { index: 2, count: 4 });
  assert.deepEqual(readOptions([], { [SHARD_VARIABLE]: '4/4' }).shard, { index: 4, count: 4 });
  for (const wrong of ['0/4', '5/4', '4', 'x/y'])
    assert.throws(() => read(`--shard=${wrong}`), /--shard takes/);
});

test('an engine is one that there is', () => {
  assert.equal(read('--engine=postgres').engine, 'postgres');
  assert.throws(() => read('--engine=mysql'), /--engine takes sqlite or postgres/);
});
