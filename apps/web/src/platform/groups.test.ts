import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutGroups } from './groups.ts';

test('what is printed in groups is kept without them', () => {
  for (const [typed, kept] of [
    ['DE02 1203 0000 0000 2020 51', 'DE02120300000000202051'],
    ['DE02-1203-0000-0000-2020-51', 'DE02120300000000202051'],
    ['IBAN DE02\u00a01203.0000', 'DE0212030000'],
    ['iban: de02 1203', 'de021203'],
    ['4242\u00a04242\u202f4242\u20114242', '4242424242424242'],
    ['BYLA DE M1 001', 'BYLADEM1001'],
    ['021-000-021', '021000021'],
    ['IBAN', 'IBAN'],
    ['', ''],
  ] as const)
    assert.equal(withoutGroups(typed), kept);
});
