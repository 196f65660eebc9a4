import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Reading } from './reading.ts';

const newest = (answer: string) => answer;
const found = (text: string) => ({ found: text, error: undefined });

test('an answer that arrives late overwrites no newer one, and neither does its failure', async () => {
  const [slow, failing] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const reading = new Reading<string>();
  let changes = 0;
  reading.subscribe(() => changes++);
  const reads = [
    reading.read('list', () => slow.promise, newest),
    reading.read('list', () => failing.promise, newest),
  ];
  await reading.read('list', async () => 'the newest', newest);
  slow.resolve('too late');
  failing.reject(new Error('too late'));
  await Promise.all(reads);
  assert.deepEqual([reading.of('list'), changes], [{ about: 'list', ...found('the newest') }, 1]);
});

test('what was found goes when something else is asked for, and stays while the same is read again', async () => {
  const reading = new Reading<string>();
  await reading.read('waiting', async () => 'runs that wait', newest);
  const again = Promise.withResolvers<string>();
  const sameAgain = reading.read('waiting', () => again.promise, newest);
  assert.equal(reading.of('waiting').found, 'runs that wait');
  assert.equal(reading.of('completed').found, undefined);
  const other = reading.read('completed', async () => 'runs that are over', newest);
  again.resolve('runs that still wait');
  await Promise.all([sameAgain, other]);
  assert.equal(reading.of('completed').found, 'runs that are over');
  assert.equal(reading.of('waiting').found, undefined);
});

test('a failure keeps what was found of the same, and says nothing of something else', async () => {
  const reading = new Reading<string>();
  const failure = new Error('away');
  await reading.read('a', async () => 'an answer', newest);
  await reading.read('a', () => Promise.reject(failure), newest);
  assert.deepEqual(reading.of('a'), { about: 'a', found: 'an answer', error: failure });
  assert.deepEqual(reading.of('b'), { about: undefined, found: undefined, error: undefined });
  await reading.read('b', () => Promise.reject(failure), newest);
  assert.deepEqual(reading.of('b'), { about: 'b', found: undefined, error: failure });
  const again = reading.read('b', async () => 'an answer', newest);
  assert.equal(reading.of('b').error, undefined, 'it is seen that it is tried again');
  await again;
  assert.equal(reading.of('b').found, 'an answer');
});

test('an answer joins what is shown, and what was asked before an act does not undo the act', async () => {
  const reading = new Reading<string>();
  const join = (answer: string, before = '') => before + answer;
  await reading.read('a', async () => 'one', join);
  await reading.read('a', async () => ' two', join);
  const before = Promise.withResolvers<string>();
  const asked = reading.read('a', () => before.promise, join);
  const isAskedAgain = reading.change('a', (shown) => `${shown} three`);
  before.resolve(' of before');
  await asked;
  assert.deepEqual([reading.of('a').found, isAskedAgain], ['one two three', true]);
  assert.equal(
    reading.change('a', () => 'four'),
    false,
    'nothing is asked',
  );
});
