import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ErrorKey, errorCatalogue } from '@symbolon/protocol';
import { clearsIn, PlatformError } from '../core/errors.ts';
import { errorBody } from './error-body.ts';

const BASE = 'https://api.example.com';
const keys = Object.keys(errorCatalogue) as ErrorKey[];

for (const key of keys.filter((each) => [429, 503].includes(errorCatalogue[each][0])))
  test(`${key} says in its body what Retry-After says`, () => {
    const error = new PlatformError(key, { headers: { 'retry-after': '7' } });
    for (const oauth of [false, true]) assert.equal(errorBody(error, BASE, oauth).retry_after, 7);
  });

for (const [header, seconds] of [
  [undefined, undefined],
  ['0', 1],
  ['999999999', 999_999_999],
  ['1000000000', undefined],
  ['-1', undefined],
  ['Sun, 29 Nov 2026 08:00:00 GMT', undefined],
] as const)
  test(`a Retry-After of ${header} gives a retry_after of ${seconds}`, () => {
    const headers = header === undefined ? {} : { 'retry-after': header };
    assert.equal(errorBody(new PlatformError('platform.busy', { headers }), BASE).retry_after, seconds);
  });

for (const [ms, seconds] of [
  [-1, 1],
  [0, 1],
  [1000, 1],
  [1001, 2],
] as const)
  test(`what clears in ${ms} ms has a retry_after of ${seconds}`, () =>
    assert.deepEqual(clearsIn(ms), { retry_after: seconds }));

test('every error has the whole address of its key, and a path where the address is not known', () => {
  for (const key of keys) {
    assert.equal(errorBody(new PlatformError(key), BASE).docs, `${BASE}/errors#${key}`);
    assert.equal(errorBody(new PlatformError(key), '').docs, `/errors#${key}`);
  }
});
