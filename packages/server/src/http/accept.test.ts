import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bestEncoding, prefersXml } from './accept.ts';

for (const [accept, isXml] of [
  [undefined, false],
  ['*/*', false],
  ['application/*', false],
  ['application/xml', true],
  ['application/xml, application/json', false],
  ['APPLICATION/XML;q=0.9, application/json;q=0.8', true],
  ['application/xml;q=0.1, */*', false],
  ['application/xml;q=0.5, application/*;q=0.9', false],
  ['application/xml, */*;q=0.8', true],
  ['application/xml;q=0.5, application/*;q=0.4, */*', true],
  ['application/json;q=0, */*', true],
  ['application/xml;q=0, */*', false],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['application/xml;q=much', false],
] as const) {
  test(`Accept: ${accept} takes ${isXml ? 'XML' : 'JSON'}`, () => assert.equal(prefersXml(accept), isXml));
}

for (const [header, encoding] of [
  [undefined, undefined],
  ['', undefined],
  ['gzip, deflate, br', 'br'],
  ['gzip;q=1.0', 'gzip'],
  ['br;q=1.0, gzip;q=0.8', 'br'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=0', undefined],
  ['*;q=0', undefined],
  ['GZIP', 'gzip'],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['deflate', undefined],
] as const) {
  test(`Accept-Encoding: ${header} takes ${encoding ?? 'no compression'}`, () =>
    assert.equal(bestEncoding(header), encoding));
}

test('an encoding that there is not leaves the next one', () => {
  assert.equal(
    bestEncoding('br, gzip;q=0.5', (encoding) => encoding === 'gzip'),
    'gzip',
  );
});
