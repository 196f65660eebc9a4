import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  DecryptionError,
  errorOfStatus,
  SymbolonError,
  UnconfirmedKeyError,
  ValueError,
} from '@symbolon/sdk/device';
import { errorOf, refusalOf } from './refusals.ts';

const init = { errorKey: 'sdk.key', message: 'It is another one.', details: { fingerprint: 'ab12' } };

for (const error of [
  new SymbolonError(init),
  new DecryptionError(init),
  new UnconfirmedKeyError(init),
  new ValueError(init),
  errorOfStatus({ ...init, status: 409, requestId: 'r' }),
]) {
  test(`${error.constructor.name} comes out of a worker as it was`, () => {
    const out = errorOf(structuredClone(refusalOf(error)));
    assert.equal(out.constructor, error.constructor);
    const shown = ({ errorKey, message, details, status, requestId }: SymbolonError) => [
      errorKey,
      message,
      details,
      status,
      requestId,
    ];
    assert.deepEqual(shown(out), shown(error));
  });
}

test('what is no error of the SDK comes out without its insides', () => {
  const out = errorOf(refusalOf(Object.assign(new Error('broken'), { code: 'bad_key', secret: 's' })));
  assert.deepEqual([out.errorKey, out.message, out.details], ['crypto.bad_key', 'broken', {}]);
});
