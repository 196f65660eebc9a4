import assert from 'node:assert/strict';
import { test } from 'node:test';
import { progressBar } from './progress.ts';

const CLEARED = '\r\u001b[K';

test('a bar says how far it is, and how long it still takes as soon as that is known', () => {
  const written: string[] = [];
  let now = 0;
  const screen = { columns: 100, write: (text: string) => written.push(text) };
  const bar = progressBar('customers', screen, () => now);
  bar.done(1);
  assert.deepEqual(written, [], 'nothing before it is known how many there are');
  bar.total(400);
  assert.deepEqual(written, [`${CLEARED}${'─'.repeat(40)} 0/400 customers  `]);
  now = 50;
  bar.done(10);
  assert.equal(written.length, 1, 'it is not drawn more often than is visible');
  now = 1000;
  bar.done(100);
  assert.equal(written.at(-1), `${CLEARED}${'━'.repeat(10)}${'─'.repeat(30)} 100/400 customers  3 s left`);
  now = 21_000;
  bar.done(101);
  assert.match(written.at(-1) ?? '', / 101\/400 customers {2}2 min left$/);
  now = 22_000;
  bar.total(0);
  bar.stop();
  assert.equal(written.at(-1), CLEARED);
});

test('a bar stays on its line', () => {
  const written: string[] = [];
  const bar = progressBar('connections', { columns: 50, write: (text) => written.push(text) }, () => 0);
  bar.total(7);
  assert.equal(written[0]?.length, CLEARED.length + 49);
});
