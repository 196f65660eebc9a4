import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unclear } from '../raw/tokens.ts';
import { unpackLzw, unpackRuns } from './packed.ts';

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const MOST = 1000;

test('data by LZW are expanded up to the mark of their end, or to where they stop', () => {
  // ISO 32000-2, 7.4.4.2: ten bytes in six codes.
  const data = Uint8Array.of(0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01);
  const { bytes, used } = unpackLzw(data, true, MOST);
  assert.deepEqual([textOf(bytes), used], ['2d2d2d2d2d412d2d2d42', 9]);
  const cut = unpackLzw(data.subarray(0, 7), true, MOST);
  assert.deepEqual([textOf(cut.bytes), cut.used], ['2d2d2d2d2d412d2d2d', undefined]);
  assert.throws(() => unpackLzw(Uint8Array.of(0x80, 0x7f, 0xff), true, MOST), Unclear);
  assert.throws(() => unpackLzw(data, true, 9), RangeError);
});

test('data by run lengths are expanded in the same way', () => {
  const data = Uint8Array.of(2, 7, 8, 9, 253, 6, 128, 5);
  const { bytes, used } = unpackRuns(data, MOST);
  assert.deepEqual([textOf(bytes), used], ['07080906060606', 7]);
  assert.equal(unpackRuns(data.subarray(0, 6), MOST).used, undefined);
  assert.throws(() => unpackRuns(data, 6), RangeError);
});
