import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRetryAfter } from './retry-after.ts';

const now = Date.UTC(1994, 10, 6, 8, 49, 0);

for (const [header, ms] of [
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7000],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 37_000],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 37_000],
  ['Sun Nov  6 08:49:37 1994', 37_000],
  ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
] as const) {
  test(`Retry-After "${header}" asks for ${ms} ms`, () => assert.equal(parseRetryAfter(header, now), ms));
}

const NONE = ['', '-1', '+3', '1.5', '0.5', '120junk', '30, 30', 'soon', '2026-11-28', '1e3', '0x10', '30s'];
for (const header of [
  ...NONE,
  '2026-11-28T10:00:00Z',
  '06 Nov 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 08:49:37 +0100',
  'Sun, 06 Xyz 1994 08:49:37 GMT',
]) {
  test(`Retry-After "${header}" says nothing`, () => assert.equal(parseRetryAfter(header, now), undefined));
}
