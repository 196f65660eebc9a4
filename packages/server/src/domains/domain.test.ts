import assert from 'node:assert/strict';
import { test } from 'node:test';
import { combine, type Domain } from './domain.ts';

test('domains stop in reverse, each whatever the others do, and the first failure is thrown', async () => {
  const stopped: string[] = [];
  const stopping = (name: string, fails = false): Domain => ({
    async stop() {
      stopped.push(name);
      if (fails) throw new Error(name);
    },
  });
  await combine(stopping('a'), {}, stopping('b')).stop();
  assert.deepEqual(stopped.splice(0), ['b', 'a']);
  const failing = combine(stopping('a'), stopping('b', true), stopping('c', true));
  await assert.rejects(failing.stop(), { message: 'c' });
  assert.deepEqual(stopped, ['c', 'b', 'a']);
});
