import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SymbolonError } from '@symbolon/sdk/device';
import { isAway } from './away.ts';

const failure = (status?: number) =>
  new SymbolonError({ message: 'failed', errorKey: 'some.key', ...(status !== undefined && { status }) });

test('only a refusal means that there is no session', () => {
  for (const status of [401, 403]) assert.equal(isAway(failure(status)), false, String(status));
  for (const status of [429, 500, 502, 503, undefined])
    assert.equal(isAway(failure(status)), true, String(status));
  assert.equal(isAway(new TypeError('Failed to fetch')), true);
});
