import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { BUDGETED, judge } from './support/budget.ts';

const grown = (...taken: Parameters<typeof judge>) =>
  judge(...taken)
    .filter((verdict) => verdict.grown)
    .map(({ name }) => name);

test('a call may cost 15 % more than its budget, and no more', () => {
  const budget = { token: 10, edit: 40, drain: 200 };
  assert.deepEqual(grown(budget, { token: 11.5, edit: 30, drain: 200 }), []);
  assert.deepEqual(grown(budget, { token: 11.51, edit: 40, drain: 231 }), ['token', 'drain']);
  const [verdict] = judge(budget, { token: 12 });
  assert.equal(verdict?.growth?.toFixed(3), '0.200');
});

test('a call without a budget, or without a measurement, has grown', () => {
  assert.deepEqual(grown({ token: 10 }, { token: 10, edit: 1 }), ['edit']);
  assert.deepEqual(grown({ token: 10 }, { token: Number.NaN }), ['token']);
});

test('on a busy machine what all calls grew by is not held against one of them', () => {
  const budget = { token: 10, edit: 40, drain: 200 };
  const busy = { token: 13, edit: 52, drain: 320 };
  assert.deepEqual(grown(budget, busy), ['token', 'edit', 'drain']);
  assert.deepEqual(grown(budget, busy, true), ['drain']);
  // Nor does it excuse one call that the others became cheaper.
  assert.deepEqual(grown(budget, { token: 5, edit: 20, drain: 200 }, true), []);
});

test('each call that is weighed has a budget', async () => {
  const budget = JSON.parse(await readFile(new URL('budget.json', import.meta.url), 'utf8'));
  assert.deepEqual(Object.keys(budget), Object.keys(BUDGETED));
  assert.equal(Object.keys(budget).length, 12);
});
