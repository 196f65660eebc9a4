import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codesIn } from './connect-requests.ts';

test('codes are read from what is typed, and from a column or row of a table', () => {
  assert.deepEqual(codesIn(''), { codes: [], repeated: 0, others: [] });
  assert.deepEqual(codesIn(' abc123\r\nXYZ789\t abc123 ,"quoted9";;\n'), {
    codes: ['ABC123', 'XYZ789', 'QUOTED9'],
    repeated: 1,
    others: [],
  });
  assert.deepEqual(codesIn('AB ada@example.com ABC123 ada@example.com ÄÖÜ'), {
    codes: ['ABC123'],
    repeated: 0,
    others: ['AB', 'ADA@EXAMPLE.COM', 'ÄÖÜ'],
  });
});
