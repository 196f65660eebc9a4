import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameIssuer } from './id-token.ts';

for (const [issuer, expected, isSame] of [
  ['https://a.example', 'https://a.example', true],
  ['http://localhost:8080', 'http://127.0.0.1:8080', true],
  ['http://127.0.0.1:8080', 'http://localhost:8080', true],
  ['http://[::1]', 'http://localhost', true],
  ['http://localhost:8080', 'http://localhost:8081', false],
  ['https://localhost', 'http://localhost', false],
  ['http://127.0.0.1.example', 'http://localhost', false],
  ['https://b.example', 'https://a.example', false],
  [null, 'https://a.example', false],
] as const) {
  test(`${issuer} is ${isSame ? '' : 'not '}the issuer ${expected}`, () => {
    assert.equal(isSameIssuer(issuer, expected), isSame);
  });
}
