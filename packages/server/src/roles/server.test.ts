import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { stopServing } from './server.ts';

test('each part is stopped when those before have, and one that cannot be keeps no other from it', async () => {
  const order: string[] = [];
  const stop = (name: string) => async () => {
    await setImmediate();
    order.push(name);
    if (name === 'domains') throw new Error('The database is away.');
  };
  const said: unknown[] = [];
  await stopServing({
    maintenance: { stop: () => order.push('maintenance') },
    core: {
      availability: { explains: () => false },
      log: { error: (_: unknown, text: string) => said.push(text) },
      mail: { stop: () => order.push('mail') },
      stop: stop('core'),
    },
    domain: { workers: [{ stop: stop('worker') }], stop: stop('domains') },
  } as never);
  assert.deepEqual(order, ['maintenance', 'mail', 'worker', 'domains', 'core']);
  assert.deepEqual(said, ['stopping in order failed']);
});
