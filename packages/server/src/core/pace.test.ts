import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from './pace.ts';

test('a party waits three times as long as its steps took, whatever it asks for, and others do not', () => {
  let now = 0;
  const pace = new Pace(() => now);
  const step = (party: string, ms: number) =>
    pace.step(party, () => {
      now += ms;
    });
  assert.equal(step('large', 2), 6);
  assert.equal(step('large', 1), 5 + 3, 'a second request at the same time');
  assert.equal(step('small', 1), 3);
  now = 1_000;
  assert.equal(step('large', 1), 3, 'time that has passed is not counted twice');
  assert.equal(step('large', 500), 60, 'a step that the machine held up');
});
