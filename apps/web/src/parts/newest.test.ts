import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newestOnly } from './newest.ts';

test('an answer that arrives late overwrites no newer one, and neither does its failure', async () => {
  const told: unknown[] = [];
  const note = {
    done: (found: unknown) => told.push(found),
    failed: (failure: unknown) => told.push(failure),
  };
  const [slow, failing] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const newest = newestOnly();
  const reads = [newest(() => slow.promise, note), newest(() => failing.promise, note)];
  await newest(async () => 'the newest', note);
  slow.resolve('too late');
  failing.reject(new Error('too late'));
  await Promise.all(reads);
  assert.deepEqual(told, ['the newest']);
});
