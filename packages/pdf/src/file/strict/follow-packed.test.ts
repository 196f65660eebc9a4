import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unclear } from '../raw/tokens.ts';
import { followLzw, followRuns } from './follow-packed.ts';

test('data by LZW are followed to the mark of their end, or to where they stop', () => {
  // ISO 32000-2, 7.4.4.2: ten bytes in six codes.
  const data = Uint8Array.of(0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01);
  assert.deepEqual(followLzw(data, true), { expanded: 10, used: 9 });
  assert.deepEqual(followLzw(data.subarray(0, 7), true), { expanded: 9, used: undefined });
  assert.throws(() => followLzw(Uint8Array.of(0x80, 0x7f, 0xff), true), Unclear);
});

test('data by run lengths are followed in the same way', () => {
  const data = Uint8Array.of(2, 7, 7, 7, 253, 9, 128, 5);
  assert.deepEqual(followRuns(data), { expanded: 7, used: 7 });
  assert.deepEqual(followRuns(data.subarray(0, 6)), { expanded: 7, used: undefined });
});
