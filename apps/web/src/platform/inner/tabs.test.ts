import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tabs } from './tabs.ts';

test('other tabs hear what a tab tells, once, and the tab itself does not', async () => {
  const [one, other] = [tabs<string>('a test of tabs'), tabs<string>('a test of tabs')];
  const heard: string[] = [];
  const last = Promise.withResolvers<void>();
  const endOne = one.hear((message) => heard.push(`one: ${message}`));
  const endOther = other.hear((message) => {
    heard.push(`other: ${message}`);
    if (message === 'last') last.resolve();
  });
  one.tell('first');
  one.tell('last');
  await last.promise;
  endOther();
  other.tell('of a tab that hears nothing');
  while (!heard.includes('one: of a tab that hears nothing')) await new Promise(setImmediate);
  endOne();
  assert.deepEqual(heard, ['other: first', 'other: last', 'one: of a tab that hears nothing']);
});
