import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begun, changed, merged } from './drafts.ts';

const part = (value: unknown, at: number) => ({ value, at });

test('of two devices each part of a draft counts as it was typed last', () => {
  const phone = new Map([
    ['name', part('Ada', 5)],
    ['city', part('Berlin', 1)],
  ]);
  const desk = new Map([
    ['city', part(null, 3)],
    ['name', part('Bea', 2)],
    ['note', part('hi', 4)],
  ]);
  for (const both of [merged(phone, desk), merged(desk, phone)])
    assert.deepEqual(
      [...begun(both)].sort(),
      [
        ['name', 'Ada'],
        ['note', 'hi'],
      ],
      'what was emptied later stays empty',
    );
});

test('what stays the same keeps its time, and nothing is written for it', () => {
  const address = { city: 'Berlin' };
  const before = changed(new Map(), new Map<string, unknown>([['address', address]]), 1);
  assert.equal(changed(before, new Map([['address', address]]), 2), before);
  const more = changed(
    before,
    new Map<string, unknown>([
      ['address', address],
      ['name', 'Ada'],
    ]),
    3,
  );
  assert.deepEqual(
    [...more.values()].map(({ at }) => at),
    [1, 3],
  );
  const less = changed(more, new Map([['name', 'Ada']]), 4);
  assert.deepEqual(less.get('address'), part(null, 4));
  assert.equal(changed(less, new Map([['name', 'Ada']]), 5), less);
});
