import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathOf } from './next-path.ts';

const ORIGIN = 'https://symbolon.example';

test('after signing in a page leads to an address of this site alone', () => {
  assert.equal(pathOf('/auth?client_id=a&state=b%20c', ORIGIN), '/auth?client_id=a&state=b%20c');
  assert.equal(pathOf('/me/security', ORIGIN), '/me/security');
  for (const elsewhere of [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\t/evil.example/',
    '/.//evil.example/',
    '/a/..//evil.example/',
    '/%2e/%2E//evil.example/',
    'javascript:alert(1)',
    'me/security',
    '',
  ]) {
    assert.equal(pathOf(elsewhere, ORIGIN), undefined, elsewhere);
  }
});
