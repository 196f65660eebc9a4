import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Unclear } from '../raw/tokens.ts';
import { faxRows } from './fax.ts';

const bits = (text: string) =>
  Buffer.from((text.match(/.{1,8}/g) ?? []).map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)));
const END = '000000000001';
const WHITE = '10011'; // eight dots
const HALF = '1011011'; // four white dots and four black ones

test('rows are walked over in each way in which they are packed', () => {
  const of = (rows: number, k: number, isAligned = false) => ({ columns: 8, rows, k, isAligned });
  const ways = [
    [`${WHITE}${HALF}`, of(2, 0)],
    [`${END}${WHITE}0000${END}${HALF}`, of(2, 0)],
    [`${WHITE}000${HALF}`, of(2, 0, true)],
    [`${END}1${HALF}${END}011${END}1${WHITE}`, of(3, 4)],
    [`001${HALF}11`, of(2, -1)],
  ] as const;
  for (const [packed, fax] of ways) {
    assert.equal(faxRows(bits(packed), fax), packed.length, packed);
    assert.throws(() => faxRows(bits(packed + END + END), { ...fax, rows: fax.rows + 1 }), Unclear);
    assert.throws(() => faxRows(bits(packed).subarray(0, -1), fax), Unclear);
  }
  // 2560 and none, in one row.
  const long = `000000011111${'00110101'}`;
  assert.equal(faxRows(bits(long), { columns: 2560, rows: 1, k: 0, isAligned: false }), long.length);
});
